import { patchTypes, type ApiHandler, type ApiRequest } from '@flotilla/kube';
import { serverRequest } from '../../own-requests/server-request.ts';
import { lastUsedLabel, type MarkUsed } from './legacy-token.ts';

/**
 * Writes the day of its last use onto a Secret that holds a token, in the background: administrators look for tokens that
 * nobody needs. A mark that fails is tried again at the next use.
 */
export function markSecretUsed(handle: () => ApiHandler): MarkUsed {
  const underWay = new Set<string>();
  return (secret, day) => {
    const { name: key } = secret.key;
    if (underWay.has(key)) return;
    underWay.add(key);
    const done = (): void => void underWay.delete(key);
    const [namespace = '', name = ''] = key.split('/', 2);
    const metadata = { uid: secret.header.uid, labels: { [lastUsedLabel]: day } };
    const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
    const plain = serverRequest('PATCH', path, { object: { metadata } });
    const request: ApiRequest = {
      ...plain,
      headers: { ...plain.headers, 'content-type': patchTypes.merge },
    };
    Promise.resolve(handle()(request)).then(done, done);
  };
}
