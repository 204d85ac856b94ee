/** The flags of `flotilla agent`: its own, and those of KubeFleet's member agent. */
import type { LogLevel } from '@flotilla/kube';
import { Option, type Command } from 'commander';
import { addElectionOptions, type ElectionOptions } from '../election-options.ts';
import { booleanOption, type BooleanText } from '../go-options.ts';
import { addIgnoredMemberFlags } from '../ignored-flags.ts';
import { addConfigFlag, addLogLevel } from '../server-flags.ts';
import { addNumberFlags } from './number-flags.ts';

export interface AgentFlags extends ConnectionFlags, AddressFlags, ElectionOptions, ApplierFlags, ProviderFlags {
  readonly logLevel: LogLevel;
  readonly v?: string;
  readonly enablePprof: BooleanText;
}

export interface ConnectionFlags {
  readonly name?: string;
  readonly hubKubeconfig?: string;
  readonly hubContext?: string;
  readonly hubTokenSecret?: string;
  readonly memberKubeconfig?: string;
  readonly memberContext?: string;
  readonly installDefinitions?: BooleanText;
  readonly useCaAuth: BooleanText;
  readonly tlsInsecure: BooleanText;
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
  readonly workApplierRequeueRateLimiterSkipToFastBackoffForAvailableOrDiffReportedWorkObjs: BooleanText;
  readonly enableWorkApplierPriorityQueue: BooleanText;
  readonly workApplierPriorityLinearEquationCoeffA: number;
  readonly workApplierPriorityLinearEquationCoeffB: number;
  readonly trackJobs: BooleanText;
}

export interface ProviderFlags {
  readonly propertyProvider: string;
  readonly region?: string;
  readonly priceTable?: string;
  readonly useCostPropertiesInAzureProvider: BooleanText;
  readonly useAvailableResPropertiesInAzureProvider: BooleanText;
  readonly enableNamespaceCollectionInPropertyProvider: BooleanText;
}

export function addAgentFlags(command: Command): Command {
  addConnectionFlags(command);
  addNumberFlags(command);
  addApplierFlags(command);
  addProviderFlags(command);
  addAddressFlags(command);
  addElectionOptions(command, 'work only while this replica holds the lease', {
    isEnabled: 'false',
    namespace: 'kube-system',
    leaseSeconds: 15,
    renewSeconds: 10,
    retrySeconds: 2,
  });
  command.addOption(booleanOption('--enable-pprof', 'accepted, but has no effect', 'false').hideHelp());
  addIgnoredMemberFlags(command);
  return addLogLevel(addConfigFlag(command));
}

function addConnectionFlags(command: Command): void {
  command
    .option('--name <member>', 'name of the MemberCluster on the hub (default: MEMBER_CLUSTER_NAME)')
    .option('--hub-kubeconfig <file>', 'kubeconfig of the hub (default: HUB_SERVER_URL and related variables)')
    .option('--hub-context <name>', 'context of --hub-kubeconfig (default: its current one)')
    .option(
      '--hub-token-secret <namespace/name>',
      "Secret of the member with the hub's token, copied to the token file at the start and kept up to date",
    )
    .option('--member-kubeconfig <file>', "kubeconfig of the member (default: kubectl's, or the pod's service account)")
    .option('--member-context <name>', 'context of the member kubeconfig (default: its current one)')
    .addOption(
      new Option('--install-definitions [bool]', 'install the CRD AppliedWork if it is missing (default: with --name)')
        .choices(['true', 'false'])
        .preset('true'),
    )
    .addOption(
      booleanOption('--use-ca-auth', 'without --hub-kubeconfig: present IDENTITY_CERT instead of a token', 'false'),
    )
    .addOption(
      booleanOption('--tls-insecure', "without --hub-kubeconfig: do not verify the hub's certificate", 'false'),
    );
}

function addApplierFlags(command: Command): void {
  const skips = '--work-applier-requeue-rate-limiter-skip-to-fast-backoff-for-available-or-diff-reported-work-objs';
  command
    .addOption(booleanOption(skips, 'use the fast backoff as soon as a Work is available', 'true').hideHelp())
    .addOption(
      booleanOption('--enable-work-applier-priority-queue', 'process new, deleted and unhealthy Works first', 'false'),
    )
    .addOption(booleanOption('--track-jobs', 'count a Job as available with one ready or succeeded pod', 'false'));
}

function addProviderFlags(command: Command): void {
  command
    .option('--property-provider <name>', 'none, default, azure, or a module that exports start and collect', 'none')
    .option('--region <name>', 'azure: region of the nodes (default: from their labels)')
    .option('--price-table <file>', 'azure: prices of machine sizes, YAML or JSON')
    .addOption(booleanOption('--use-cost-properties-in-azure-provider', 'azure: report costs', 'true'))
    .addOption(
      booleanOption('--use-available-res-properties-in-azure-provider', 'report available cpu and memory', 'true'),
    )
    .addOption(booleanOption('--enable-namespace-collection-in-property-provider', 'report namespaces', 'true'));
}

/** `0` and the empty string turn an address off. */
function addAddressFlags(command: Command): void {
  const off = 'with --name: off';
  const health = 'address to serve /healthz and /readyz on';
  const metrics = 'address to serve /metrics on';
  command
    .option('--hub-health-probe-bind-address <address>', `${health} (default: :8081; ${off})`)
    .option('--hub-metrics-bind-address <address>', `${metrics} (default: :8080; ${off})`)
    .option('--health-probe-bind-address <address>', `second ${health} (default: :8091; ${off})`)
    .option('--metrics-bind-address <address>', `second ${metrics} (default: :8090; ${off})`);
}
