/** Flags for what users may do on a hub, with the names and defaults of KubeFleet's hub agent. */
import type { HubSettings } from '@flotilla/fleet';
import type { Command } from 'commander';
import { booleanOption, type BooleanText } from './go-options.ts';

export interface GuardOptions {
  readonly enableGuardRail: BooleanText;
  readonly whitelistedUsers?: string;
  readonly denyModifyMemberClusterLabels: BooleanText;
  readonly enablePdbs: BooleanText;
  readonly enableAdmissionPolicyManager: BooleanText;
  readonly admissionPolicyManagerConfig?: string;
}

export function addGuardOptions(command: Command): Command {
  const labels = 'with the guard rail, refuse changes of labels of MemberClusters that Azure manages';
  return command
    .addOption(
      booleanOption(
        '--enable-guard-rail',
        'refuse changes of the fleet and of kube-* namespaces by most users',
        'false',
      ),
    )
    .option('--whitelisted-users <names>', 'users that the guard rail trusts, comma-separated')
    .addOption(booleanOption('--deny-modify-member-cluster-labels', labels, 'false'))
    .addOption(booleanOption('--enable-pdbs', 'accept PodDisruptionBudgets on the hub', 'true'))
    .addOption(booleanOption('--enable-admission-policy-manager', 'install admission policies on the hub', 'false'))
    .option('--admission-policy-manager-config <file>', 'YAML file that says which policies (default: all)');
}

type GuardSettings = Pick<HubSettings, 'guardRail' | 'allowsPodBudgets'>;

export function guardSettingsIn(options: GuardOptions): GuardSettings {
  const { whitelistedUsers = '', denyModifyMemberClusterLabels, enablePdbs } = options;
  const guardRail = {
    whitelistedUsers: whitelistedUsers
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    deniesLabelChanges: denyModifyMemberClusterLabels === 'true',
  };
  return {
    ...(options.enableGuardRail === 'true' && { guardRail }),
    allowsPodBudgets: enablePdbs === 'true',
  };
}
