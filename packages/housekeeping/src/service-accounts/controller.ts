import type { Controller } from '@flotilla/runtime';
import { fieldManager } from '../settings.ts';
import { kinds } from '../kinds.ts';
import { namespaceItself, namespaceOfDeleted } from '../namespace-of-change.ts';
import { accountName, decideServiceAccount, type AccountState } from './decide.ts';

/** Creates the default service account of every namespace, again if it is deleted. */
export const serviceAccountController: Controller<AccountState> = {
  name: 'serviceaccount-controller',
  fieldManager,
  watches: [
    { kind: kinds.namespace, concerns: namespaceItself },
    { kind: kinds.serviceAccount, concerns: namespaceOfDeleted, fieldSelector: `metadata.name=${accountName}` },
  ],
  observe: ({ name }, cache) => {
    const namespace = cache.get(kinds.namespace, { name });
    return namespace && { namespace, account: cache.get(kinds.serviceAccount, { namespace: name, name: accountName }) };
  },
  decide: decideServiceAccount,
};
