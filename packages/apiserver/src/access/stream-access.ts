import type { ApiError } from '@flotilla/kube';
import type { Access } from './authorizer.ts';
import { forbiddenAccess } from './forbidden-access.ts';
import type { Rbac } from './rbac/rbac.ts';

type CurrentPolicy = Pick<Rbac, 'generation' | 'authorize'>;

/** Authorizes a stream again whenever roles or bindings have changed, so that it ends when its user loses the right. */
export class StreamAccess {
  readonly #rbac: CurrentPolicy;
  readonly #asked: readonly Access[];
  #generation = -1;
  #refusal: ApiError | undefined;

  constructor(rbac: CurrentPolicy, asked: readonly Access[]) {
    this.#rbac = rbac;
    this.#asked = asked;
  }

  /** Returns undefined while the stream is allowed. */
  refusal(): ApiError | undefined {
    const { generation } = this.#rbac;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#refusal = this.#lookUp();
    }
    return this.#refusal;
  }

  #lookUp(): ApiError | undefined {
    for (const asked of this.#asked) {
      const { isAllowed, reason } = this.#rbac.authorize(asked);
      if (!isAllowed) return forbiddenAccess(asked, reason);
    }
    return undefined;
  }
}
