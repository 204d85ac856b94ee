/** Flags of KubeFleet's agents that are accepted, so that its manifests keep working, and have no effect. */
import { Option, type Command } from 'commander';

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

/** Our queues, clients and informers need no limits from outside. Checks and defaults are always on. */
const hubFlags = [
  '--enable-v1beta1-apis [bool]',
  '--enable-staged-update-run-apis [bool]',
  '--enable-eviction-apis [bool]',
  '--enable-resource-placement [bool]',
  '--concurrent-resource-change-syncs <n>',
  '--max-fleet-size <n>',
  '--max-concurrent-cluster-placement <n>',
  '--rate-limiter-base-delay <duration>',
  '--rate-limiter-max-delay <duration>',
  '--rate-limiter-qps <n>',
  '--rate-limiter-bucket-size <n>',
  '--work-pending-grace-period <duration>',
  '--hub-api-qps <n>',
  '--hub-api-burst <n>',
  '--resync-period <duration>',
  '--enable-pprof [bool]',
  '--pprof-port <port>',
  '--leader-election-qps <n>',
  '--leader-election-burst <n>',
  '--enable-webhook [bool]',
  '--webhook-client-connection-type <type>',
  '--webhook-service-name <name>',
  '--enable-guard-rail [bool]',
  '--whitelisted-users <names>',
  '--deny-modify-member-cluster-labels [bool]',
  '--enable-pdbs [bool]',
  '--use-cert-manager [bool]',
  '--enable-admission-policy-manager [bool]',
  '--admission-policy-manager-config <file>',
];

export function addIgnoredMemberFlags(command: Command): void {
  addIgnored(command, memberFlags);
}

export function addIgnoredHubFlags(command: Command): void {
  addIgnored(command, hubFlags);
}

function addIgnored(command: Command, flags: readonly string[]): void {
  command.addOption(new Option('--v <n>', 'log level: info from 2, debug from 4').hideHelp());
  for (const each of [...flags, ...logFlags]) command.addOption(new Option(each).hideHelp());
}
