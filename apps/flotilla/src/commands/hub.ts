import type { Command, Option } from 'commander';
import { GoFlagsCommand } from '../agent/go-flags-command.ts';
import { addCredentialFlags, type CredentialFlags } from '../apiserver-flags.ts';
import { addAuthenticationFlags, type AuthenticationFlags } from '../authentication-flags.ts';
import { addAuditFlags, type AuditFlags } from '../audit-flags.ts';
import { addElectionOptions, type ElectionOptions } from '../election-options.ts';
import { exampleText } from '../example-text.ts';
import { addFeatureOptions, type FeatureOptions } from '../feature-options.ts';
import { addGuardOptions, type GuardOptions } from '../guard-options.ts';
import { addIgnoredHubFlags, checkLimits, type LimitOptions } from '../ignored-flags.ts';
import { addMembershipOptions, type MembershipOptions } from '../membership-options.ts';
import { addPlacementOptions, type PlacementOptions } from '../placement-options.ts';
import { addConfigFlag, addLogLevel, addServerFlags, type ServerFlags } from '../server-flags.ts';
import { addSelectionOptions, type SelectionOptions } from '../selection-options.ts';
import { addRetryOptions, type RetryOptions } from '../retry-options.ts';
import { addStageOptions, type StageOptions } from '../stage-options.ts';
import { UserError } from '../user-error.ts';
import { addWebhookOptions, type WebhookOptions } from '../webhook-options.ts';

export interface OwnServerFlags
  extends
    ServerFlags,
    CredentialFlags,
    AuthenticationFlags,
    AuditFlags,
    MembershipOptions,
    PlacementOptions,
    SelectionOptions,
    FeatureOptions,
    RetryOptions,
    GuardOptions,
    StageOptions {}

export interface AttachOptions
  extends
    MembershipOptions,
    PlacementOptions,
    SelectionOptions,
    FeatureOptions,
    RetryOptions,
    GuardOptions,
    StageOptions,
    ElectionOptions,
    WebhookOptions,
    Pick<ServerFlags, 'logLevel'> {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly inCluster?: boolean;
  readonly metricsBindAddress?: string;
  readonly healthProbeBindAddress?: string;
  readonly v?: string;
}

export function hubCommand(): Command {
  const command = new GoFlagsCommand('hub')
    .description('Run a hub with its own API server, or its controllers against an existing one.')
    .addHelpText('after', exampleText('flotilla hub --data-dir .data/hub', 'flotilla hub --kubeconfig ~/.kube/config'));
  const ownServerOptions = optionsAddedBy(command, () =>
    addAuditFlags(addAuthenticationFlags(addCredentialFlags(addServerFlags(command)))),
  );
  addStageOptions(addSelectionOptions(addPlacementOptions(addMembershipOptions(command))));
  addGuardOptions(addRetryOptions(addFeatureOptions(command)));
  const attachOptions = optionsAddedBy(command, () => addAttachOptions(command));
  addIgnoredHubFlags(command);
  return addLogLevel(addConfigFlag(command)).action(async (options: OwnServerFlags & AttachOptions & LimitOptions) => {
    checkLimits(options);
    if (options.kubeconfig === undefined && options.inCluster !== true) {
      refuseOptions(command, attachOptions, 'only applies with --kubeconfig or --in-cluster');
      await (await import('../hub/run-hub.ts')).runHub(options);
    } else {
      refuseOptions(command, ownServerOptions, 'does not apply with --kubeconfig or --in-cluster');
      await (await import('../hub/attach-to-server.ts')).attachToServer(options);
    }
  });
}

function addAttachOptions(command: Command): void {
  command
    .option('--kubeconfig <file>', "run the controllers against this server, and install the fleet's CRDs there")
    .option('--context <name>', 'context of --kubeconfig (default: its current one)')
    .option('--in-cluster', "run the controllers against the cluster of this pod, with the pod's service account")
    .option('--metrics-bind-address <address>', 'address to serve /metrics on, for instance :8080')
    .option('--health-probe-bind-address <address>', 'address to serve /healthz and /readyz on, for instance :8081');
  addWebhookOptions(command);
  addElectionOptions(command, 'work only while this replica holds the lease', {
    isEnabled: 'true',
    namespace: 'fleet-system',
    leaseSeconds: 60,
    renewSeconds: 45,
    retrySeconds: 5,
  });
}

function optionsAddedBy(command: Command, add: () => void): readonly Option[] {
  const before = command.options.length;
  add();
  return command.options.slice(before);
}

/** An option that would have no effect is an error. */
function refuseOptions(command: Command, options: readonly Option[], reason: string): void {
  const typed = options.find((option) =>
    ['cli', 'config'].includes(command.getOptionValueSource(option.attributeName()) ?? ''),
  );
  if (typed !== undefined) throw new UserError(`${typed.long} ${reason}.`);
}
