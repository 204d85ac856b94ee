import { serviceAccountUserName, type JsonObject } from '@flotilla/kube';
import type { Bound } from './bound-object.ts';
import type { BoundObject } from './token-claims.ts';

export interface AskedToken {
  readonly account: BoundObject;
  readonly namespace: string;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound: Bound;
}

/** What pods are given when they do not say otherwise. Programs that read such a token only once get a year of grace. */
const projectedSeconds = 3607;
const graceSeconds = 365 * 24 * 60 * 60;

/** Everything that a new token says, but who signs it. Names come in the order of the alphabet, as Kubernetes has them. */
export function tokenClaims(asked: AskedToken, ownAudiences: readonly string[], now: Date, id: string): JsonObject {
  const { account, namespace, audiences, seconds, bound } = asked;
  const { node, pod, secret } = bound;
  const isForUs = audiences.every((audience) => ownAudiences.includes(audience));
  const hasGrace = pod !== undefined && seconds === projectedSeconds && isForUs;
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

/** Whose token a Secret holds. */
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
