import type { Command, Option } from 'commander';
import { GoFlagsCommand } from '../agent/go-flags-command.ts';
import { addCredentialFlags, type CredentialFlags } from '../apiserver-flags.ts';
import { addElectionOptions, type ElectionOptions } from '../election-options.ts';
import { addMembershipOptions, type MembershipOptions } from '../membership-options.ts';
import { addLogLevel, addServerFlags, type ServerFlags } from '../server-flags.ts';
import { UserFault } from '../user-error.ts';

export interface OwnServerFlags extends ServerFlags, CredentialFlags, MembershipOptions {}

export interface AttachOptions extends MembershipOptions, ElectionOptions, Pick<ServerFlags, 'logLevel'> {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly inCluster?: boolean;
  readonly metricsBindAddress?: string;
  readonly healthProbeBindAddress?: string;
}

export function hubCommand(): Command {
  const command = new GoFlagsCommand('hub').description(
    'Runs the hub of a fleet: an API server of its own, or only the controllers, on the server of others.',
  );
  const ofOwnServer = added(command, () => addCredentialFlags(addServerFlags(command)));
  addMembershipOptions(command);
  const ofOthers = added(command, () => addAttachOptions(command));
  return addLogLevel(command).action(async (options: OwnServerFlags & AttachOptions) => {
    if (options.kubeconfig === undefined && options.inCluster !== true) {
      refuse(command, ofOthers, 'is about the server of others; name it with --kubeconfig, or say --in-cluster');
      await (await import('../hub/run-hub.ts')).runHub(options);
    } else {
      refuse(command, ofOwnServer, 'is about a server of our own; --kubeconfig and --in-cluster bring another');
      await (await import('../hub/attach-to-server.ts')).attachToServer(options);
    }
  });
}

function addAttachOptions(command: Command): void {
  command
    .option('--kubeconfig <file>', 'work on the server of this kubeconfig, and give it the kinds of the fleet')
    .option('--context <name>', 'this context of it')
    .option('--in-cluster', 'work on the server of the cluster that this program runs in')
    .option('--metrics-bind-address <address>', 'serve metrics there, for instance at :8080')
    .option('--health-probe-bind-address <address>', 'answer probes there, for instance at :8081');
  addElectionOptions(command, 'work there only while this one leads', {
    elects: 'true',
    namespace: 'fleet-system',
    leaseSeconds: 60,
    renewSeconds: 45,
    retrySeconds: 5,
  });
}

/** The options that a function adds. */
function added(command: Command, add: () => void): readonly Option[] {
  const before = command.options.length;
  add();
  return command.options.slice(before);
}

/** What was typed and is of no use is a mistake. */
function refuse(command: Command, useless: readonly Option[], why: string): void {
  const typed = useless.find((option) => command.getOptionValueSource(option.attributeName()) === 'cli');
  if (typed !== undefined) throw new UserFault(`${typed.long} ${why}.`);
}
