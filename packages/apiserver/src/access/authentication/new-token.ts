import { serviceAccountUserName, type JsonObject } from '@flotilla/kube';
import type { Bound } from './bound-object.ts';
import type { BoundObject } from './token-claims.ts';

export interface RequestedToken {
  readonly account: BoundObject;
  readonly namespace: string;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound: Bound;
}

/** The default lifetime of projected tokens. Programs that read such a token only once get a year. */
const projectedSeconds = 3607;
const graceSeconds = 365 * 24 * 60 * 60;

/** The claims of a new token without the issuer, in alphabetical order like Kubernetes'. */
export function tokenClaims(asked: RequestedToken, ownAudiences: readonly string[], now: Date, id: string): JsonObject {
  const { account, namespace, audiences, seconds, bound } = asked;
  const { node, pod, secret } = bound;
  const isForOwnAudiences = audiences.every((audience) => ownAudiences.includes(audience));
  const hasGrace = pod !== undefined && seconds === projectedSeconds && isForOwnAudiences;
  const issued = Math.floor(now.getTime() / 1000);
  return {
    aud: [...audiences],
    exp: issued + (hasGrace ? graceSeconds : seconds),
    iat: issued,
    jti: id,
    'kubernetes.io': {
      namespace,
      ...(node && { node: reference(node) }),
      ...(pod && { pod: reference(pod) }),
      ...(secret && { secret: reference(secret) }),
      serviceaccount: reference(account),
      ...(hasGrace && { warnafter: issued + seconds }),
    },
    nbf: issued,
    sub: serviceAccountUserName({ namespace, name: account.name }),
  };
}

function reference({ name, uid }: BoundObject): JsonObject {
  return { name, ...(uid !== '' && { uid }) };
}

/** The account and the Secret of a token. */
export interface SecretTokenSubject {
  readonly namespace: string;
  readonly account: BoundObject;
  readonly secret: Pick<BoundObject, 'name'>;
}

export function newLegacyClaims({ namespace, account, secret }: SecretTokenSubject): JsonObject {
  return {
    'kubernetes.io/serviceaccount/namespace': namespace,
    'kubernetes.io/serviceaccount/secret.name': secret.name,
    'kubernetes.io/serviceaccount/service-account.name': account.name,
    'kubernetes.io/serviceaccount/service-account.uid': account.uid,
    sub: serviceAccountUserName({ namespace, name: account.name }),
  };
}
