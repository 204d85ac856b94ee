import { keyText, serviceAccountTokenType, type KubeObject, type ObjectKey, type Secret } from '@flotilla/kube';
import type { Controller } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';
import { fieldManager } from '../settings.ts';
import { accountOf, decideTokenSecrets, type SignToken, type TokenSecretState } from './decide.ts';

export interface TokenSecretOptions {
  /** PEM. */
  readonly certificate: string;
  readonly sign: SignToken;
}

type Changed = KubeObject | undefined;

/** Fills secrets of type service-account-token, and deletes them with their service accounts. */
export function tokenSecretController({ certificate, sign }: TokenSecretOptions): Controller<TokenSecretState> {
  return {
    name: 'legacy-token-controller',
    fieldManager,
    watches: [
      {
        kind: kinds.secret,
        fieldSelector: `type=${serviceAccountTokenType}`,
        concerns: (now: Changed, old: Changed) => accountKeysOfSecret(now ?? old),
        indexes: { account: (secret) => accountKeysOfSecret(secret).map(keyText) },
      },
      { kind: kinds.serviceAccount, concerns: (now: Changed, old: Changed) => accountKeys(now ?? old) },
    ],
    wakes: (secret: Readonly<Secret>) => secret.type === serviceAccountTokenType,
    observe: (key, cache) => {
      const secrets = cache.indexed(kinds.secret, 'account', keyText(key));
      return { account: cache.get(kinds.serviceAccount, key), secrets, certificate, sign };
    },
    decide: decideTokenSecrets,
  };
}

function accountKeys(account: Changed): ObjectKey[] {
  return account ? [{ namespace: account.metadata.namespace, name: account.metadata.name ?? '' }] : [];
}

function accountKeysOfSecret(secret: Secret | undefined): ObjectKey[] {
  const name = secret ? accountOf(secret) : '';
  return name === '' ? [] : [{ namespace: secret?.metadata.namespace, name }];
}
