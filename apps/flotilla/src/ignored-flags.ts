/**
 * Flags of KubeFleet's agents that are accepted, so that its manifests keep working, and have no effect. Those of the hub agent have its
 * ranges: a value that KubeFleet refuses is a mistake here, too.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { duration, numberOption } from './go-options.ts';
import { UserError } from './user-error.ts';

/** Flags of the log library, klog. */
const logFlags = [
  '--add_dir_header [bool]',
  '--alsologtostderr [bool]',
  '--log_backtrace_at <line>',
  '--log_dir <dir>',
  '--log_file <file>',
  '--log_file_max_size <n>',
  '--logtostderr [bool]',
  '--one_output [bool]',
  '--skip_headers [bool]',
  '--skip_log_headers [bool]',
  '--stderrthreshold <n>',
  '--vmodule <pattern>',
];

const memberFlags = [
  '--hub-pprof-port <port>',
  '--pprof-port <port>',
  '--cloud-config <file>',
  '--enable-v1beta1-apis [bool]',
];

const hubFlags = ['--work-pending-grace-period <duration>', '--enable-pprof [bool]'];

export function addIgnoredMemberFlags(command: Command): void {
  addIgnored(command, memberFlags);
}

export interface LimitOptions {
  readonly hubApiQps?: number;
  readonly hubApiBurst?: number;
  readonly leaderElectionQps?: number;
  readonly leaderElectionBurst?: number;
}

/** The defaults of KubeFleet, of both pairs. */
const [defaultRate, defaultBurst] = [250, 1000];

/** Our queues, clients and informers need no limits from outside. */
function limitOptions(): Option[] {
  const whole = (flag: string, from: number, to: number): Option =>
    numberOption(flag, '', { from, to, isInteger: true });
  const rate = (flag: string, to: number): Option => numberOption(flag, '', { from: 10, to, mayBeOff: true });
  return [
    whole('--concurrent-resource-change-syncs', 1, 100),
    whole('--max-fleet-size', 30, 200),
    whole('--max-concurrent-cluster-placement', 10, 200),
    rate('--hub-api-qps', 10_000),
    whole('--hub-api-burst', 10, 20_000),
    rate('--leader-election-qps', 1000),
    whole('--leader-election-burst', 10, 2000),
    duration('--resync-period', '', { from: 3_600_000, to: 43_200_000 }),
    whole('--pprof-port', 1, 65_535),
  ];
}

/** Settings of KubeFleet that nothing here could follow. */
function refusedOptions(): Option[] {
  return [
    onlyValue('--enable-v1beta1-apis', 'true', 'The v1beta1 APIs are the stored version, and cannot be turned off.'),
    onlyValue('--use-cert-manager', 'false', 'The hub makes and renews the certificate of its webhooks itself.'),
  ];
}

function onlyValue(flag: string, value: 'true' | 'false', why: string): Option {
  return new Option(`${flag} [bool]`).preset('true').argParser((text) => {
    if (text === value) return text;
    throw new InvalidArgumentError(why);
  });
}

export function addIgnoredHubFlags(command: Command): void {
  addIgnored(command, hubFlags);
  for (const option of [...limitOptions(), ...refusedOptions()]) command.addOption(option.hideHelp());
}

/** Throws a UserError for limits that contradict each other. */
export function checkLimits(options: LimitOptions): void {
  const { hubApiQps = defaultRate, hubApiBurst = defaultBurst } = options;
  const { leaderElectionQps = defaultRate, leaderElectionBurst = defaultBurst } = options;
  if (hubApiQps > hubApiBurst) throw new UserError('--hub-api-qps must not be above --hub-api-burst.');
  if (leaderElectionQps > leaderElectionBurst) {
    throw new UserError('--leader-election-qps must not be above --leader-election-burst.');
  }
}

function addIgnored(command: Command, flags: readonly string[]): void {
  command.addOption(new Option('--v <n>', 'log level: info from 2, debug from 4').hideHelp());
  for (const each of [...flags, ...logFlags]) command.addOption(new Option(each).hideHelp());
}
