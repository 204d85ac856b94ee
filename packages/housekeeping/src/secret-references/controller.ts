import {
  serviceAccountTokenType,
  type KubeObject,
  type ObjectKey,
  type Secret,
  type ServiceAccount,
} from '@flotilla/kube';
import type { Controller } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';
import { fieldManager } from '../settings.ts';
import { accountOf } from '../token-secrets/decide.ts';
import { decideSecretReference, type ReferenceState } from './decide.ts';

type Changed = KubeObject | undefined;

/**
 * Removes the reference to a deleted token secret from its service account. An account may name secrets that do not exist
 * yet, so only a watched deletion counts.
 */
export const secretReferenceController: Controller<ReferenceState> = {
  name: 'legacy-token-reference-controller',
  fieldManager,
  watches: [
    // First: the controller must run before the deletion of a secret that an account names.
    { kind: kinds.serviceAccount, concerns: () => [] },
    {
      kind: kinds.secret,
      fieldSelector: `type=${serviceAccountTokenType}`,
      concerns: (now: Changed, old: Changed) => (now === undefined && old ? referenceTo(old) : []),
    },
  ],
  wakes: ({ secrets }: Readonly<ServiceAccount>) => (secrets?.length ?? 0) > 0,
  observe: ({ namespace, name }, cache) => {
    const [of = '', secret = ''] = name.split(separator);
    const account = cache.get(kinds.serviceAccount, { namespace, name: of });
    const isBack = cache.get(kinds.secret, { namespace, name: secret }) !== undefined;
    return account && !isBack ? { account, secret } : undefined;
  },
  decide: decideSecretReference,
};

/** No object name contains it. */
const separator = '/';

/** The key holds both names, because the deleted secret can no longer name its account. */
function referenceTo(secret: Secret): ObjectKey[] {
  const { namespace, name = '' } = secret.metadata;
  const account = accountOf(secret);
  return account === '' ? [] : [{ namespace, name: `${account}${separator}${name}` }];
}
