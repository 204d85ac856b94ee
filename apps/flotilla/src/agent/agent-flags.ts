/** What `flotilla agent` can be told: flags of its own, and those of KubeFleet's member agent. */
import type { LogLevel } from '@flotilla/kube';
import { Option, type Command } from 'commander';
import { addElectionOptions, type ElectionOptions } from '../election-options.ts';
import { yesOrNo, type Yes } from '../go-options.ts';
import { addLogLevel } from '../server-flags.ts';
import { addNumberFlags } from './number-flags.ts';

export interface AgentFlags extends ConnectionFlags, AddressFlags, ElectionOptions, ApplierFlags, ProviderFlags {
  readonly logLevel: LogLevel;
  readonly v?: string;
  readonly enablePprof: Yes;
}

export interface ConnectionFlags {
  readonly name?: string;
  readonly hubKubeconfig?: string;
  readonly hubContext?: string;
  readonly memberKubeconfig?: string;
  readonly memberContext?: string;
  readonly installDefinitions?: Yes;
  readonly useCaAuth: Yes;
  readonly tlsInsecure: Yes;
  readonly hubApiQps?: number;
  readonly hubApiBurst?: number;
  readonly memberApiQps?: number;
  readonly memberApiBurst?: number;
}

export interface AddressFlags {
  readonly hubHealthProbeBindAddress?: string;
  readonly hubMetricsBindAddress?: string;
  readonly healthProbeBindAddress?: string;
  readonly metricsBindAddress?: string;
}

export interface ApplierFlags {
  readonly deletionWaitTime: number;
  readonly workApplierRequeueRateLimiterAttemptsWithFixedDelay: number;
  readonly workApplierRequeueRateLimiterFixedDelaySeconds: number;
  readonly workApplierRequeueRateLimiterExponentialBaseForSlowBackoff: number;
  readonly workApplierRequeueRateLimiterInitialSlowBackoffDelaySeconds: number;
  readonly workApplierRequeueRateLimiterMaxSlowBackoffDelaySeconds: number;
  readonly workApplierRequeueRateLimiterExponentialBaseForFastBackoff: number;
  readonly workApplierRequeueRateLimiterMaxFastBackoffDelaySeconds: number;
  readonly workApplierRequeueRateLimiterSkipToFastBackoffForAvailableOrDiffReportedWorkObjs: Yes;
  readonly enableWorkApplierPriorityQueue: Yes;
  readonly workApplierPriorityLinearEquationCoeffA: number;
  readonly workApplierPriorityLinearEquationCoeffB: number;
  readonly trackJobs: Yes;
}

export interface ProviderFlags {
  readonly propertyProvider: string;
  readonly region?: string;
  readonly priceTable?: string;
  readonly useCostPropertiesInAzureProvider: Yes;
  readonly useAvailableResPropertiesInAzureProvider: Yes;
  readonly enableNamespaceCollectionInPropertyProvider: Yes;
}

export function addAgentFlags(command: Command): Command {
  addConnectionFlags(command);
  addNumberFlags(command);
  addApplierFlags(command);
  addProviderFlags(command);
  addAddressFlags(command);
  addElectionOptions(command, 'work only while this replica leads', {
    elects: 'false',
    namespace: 'kube-system',
    leaseSeconds: 15,
    renewSeconds: 10,
    retrySeconds: 2,
  });
  addIgnoredFlags(command);
  return addLogLevel(command);
}

function addConnectionFlags(command: Command): void {
  command
    .option('--name <member>', "the member's name on the hub (default: MEMBER_CLUSTER_NAME)")
    .option('--hub-kubeconfig <file>', 'how to reach the hub (default: HUB_SERVER_URL and its companions)')
    .option('--hub-context <name>', 'this context of it')
    .option(
      '--member-kubeconfig <file>',
      'how to reach the member (default: as kubectl does, or the cluster of this pod)',
    )
    .option('--member-context <name>', 'this context of it')
    .addOption(
      new Option('--install-definitions [yes]', 'bring AppliedWork to a member that lacks it (default: with --name)')
        .choices(['true', 'false'])
        .preset('true'),
    )
    .addOption(yesOrNo('--use-ca-auth', 'without --hub-kubeconfig: show IDENTITY_CERT in place of a token', 'false'))
    .addOption(yesOrNo('--tls-insecure', 'without --hub-kubeconfig: do not ask who the hub is', 'false'));
}

function addApplierFlags(command: Command): void {
  const skips = '--work-applier-requeue-rate-limiter-skip-to-fast-backoff-for-available-or-diff-reported-work-objs';
  command
    .addOption(yesOrNo(skips, 'what is well is looked at less often at once', 'true').hideHelp())
    .addOption(
      yesOrNo('--enable-work-applier-priority-queue', 'changes to Works that are well wait for others', 'false'),
    )
    .addOption(yesOrNo('--track-jobs', 'a Job is available with one ready or succeeded pod', 'false'));
}

function addProviderFlags(command: Command): void {
  command
    .option('--property-provider <name>', 'none, default, azure, or a module that exports start and collect', 'none')
    .option('--region <name>', 'azure: where the nodes are (default: as their labels say)')
    .option('--price-table <file>', 'azure: what machines cost')
    .addOption(yesOrNo('--use-cost-properties-in-azure-provider', 'azure: report costs', 'true'))
    .addOption(yesOrNo('--use-available-res-properties-in-azure-provider', 'report what pods have left', 'true'))
    .addOption(yesOrNo('--enable-namespace-collection-in-property-provider', 'report namespaces', 'false'));
}

/** `0` and nothing: not at all. */
function addAddressFlags(command: Command): void {
  const off = 'with --name: nowhere';
  command
    .option('--hub-health-probe-bind-address <address>', `serve /healthz and /readyz here (default: :8081; ${off})`)
    .option('--hub-metrics-bind-address <address>', `serve /metrics here (default: :8080; ${off})`)
    .option('--health-probe-bind-address <address>', `and here (default: :8091; ${off})`)
    .option('--metrics-bind-address <address>', `and here (default: :8090; ${off})`);
}

/** Of KubeFleet's agent and of the library that writes its logs: they are taken, and change nothing here. */
const ignored = [
  '--hub-pprof-port <port>',
  '--pprof-port <port>',
  '--cloud-config <file>',
  '--enable-v1beta1-apis [yes]',
  '--add_dir_header [yes]',
  '--alsologtostderr [yes]',
  '--log_backtrace_at <place>',
  '--log_dir <dir>',
  '--log_file <file>',
  '--log_file_max_size <n>',
  '--logtostderr [yes]',
  '--one_output [yes]',
  '--skip_headers [yes]',
  '--skip_log_headers [yes]',
  '--stderrthreshold <n>',
  '--vmodule <pattern>',
];

function addIgnoredFlags(command: Command): void {
  command.addOption(yesOrNo('--enable-pprof', 'there is no such profiler here', 'false').hideHelp());
  command.addOption(
    new Option('--v <n>', 'what is worth a line: 2 and more like info, 4 and more like debug').hideHelp(),
  );
  for (const flags of ignored) command.addOption(new Option(flags).hideHelp());
}
