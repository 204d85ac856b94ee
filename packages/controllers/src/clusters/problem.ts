import { memberNamespace, type MemberCluster, type MemberIdentity } from '@flotilla/api';
import { nameIsDnsLabel, rbacGroup } from '@flotilla/kube';

/** Why a member cannot get its objects until a user changes its MemberCluster, as a sentence. */
export function problemOf({ metadata, spec }: MemberCluster): string | undefined {
  const namespace = memberNamespace(metadata.name ?? '');
  const [fault] = nameIsDnsLabel(namespace, false);
  if (fault !== undefined) return `its namespace cannot be called ${namespace}: ${fault}`;
  return identityProblem(spec.identity);
}

/** Checks what the server would refuse in a RoleBinding. */
function identityProblem({ kind, name, namespace = '', apiGroup = '' }: MemberIdentity): string | undefined {
  if (name === '') return 'its identity has no name';
  switch (kind) {
    case 'ServiceAccount':
      if (namespace === '') return 'its identity is a ServiceAccount, which needs a namespace';
      return apiGroup === '' ? undefined : `its identity is a ServiceAccount, which has no API group ${apiGroup}`;
    case 'User':
    case 'Group':
      return ['', rbacGroup].includes(apiGroup)
        ? undefined
        : `its identity is a ${kind} of ${apiGroup}, not of ${rbacGroup}`;
    default:
      return `its identity is a ${kind}, not a User, Group or ServiceAccount`;
  }
}
