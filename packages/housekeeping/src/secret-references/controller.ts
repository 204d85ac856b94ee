import { serviceAccountTokenType, type KubeObject, type ObjectKey, type Secret } from '@flotilla/kube';
import type { Controller } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';
import { fieldManager } from '../settings.ts';
import { accountOf } from '../token-secrets/decide.ts';
import { decideSecretReference, type ReferenceState } from './decide.ts';

type Changed = KubeObject | undefined;

/**
 * Takes a token secret that was deleted off the list of its account. An account may name secrets that are yet to come, so
 * only a deletion that was seen says that one is gone.
 */
export const secretReferenceController: Controller<ReferenceState> = {
  name: 'legacy-token-reference-controller',
  fieldManager,
  watches: [
    {
      kind: kinds.secret,
      fieldSelector: `type=${serviceAccountTokenType}`,
      concerns: (now: Changed, old: Changed) => (now === undefined && old ? referenceTo(old) : []),
    },
    { kind: kinds.serviceAccount, concerns: () => [] },
  ],
  observe: ({ namespace, name }, cache) => {
    const [of = '', secret = ''] = name.split(separator);
    const account = cache.get(kinds.serviceAccount, { namespace, name: of });
    const isBack = cache.get(kinds.secret, { namespace, name: secret }) !== undefined;
    return account && !isBack ? { account, secret } : undefined;
  },
  decide: decideSecretReference,
};

/** Not in any name. */
const separator = '/';

/** Both names in one: the secret that would tell its account is gone. */
function referenceTo(secret: Secret): ObjectKey[] {
  const { namespace, name = '' } = secret.metadata;
  const account = accountOf(secret);
  return account === '' ? [] : [{ namespace, name: `${account}${separator}${name}` }];
}
