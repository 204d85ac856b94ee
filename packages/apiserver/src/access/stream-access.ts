import type { ApiError } from '@flotilla/kube';
import type { Access } from './authorizer.ts';
import { forbiddenAccess } from './forbidden-access.ts';
import type { Rbac } from './rbac/rbac.ts';

type CurrentPolicy = Pick<Rbac, 'generation' | 'authorize'>;

/** The rights to something that lasts: as good as roles and bindings are now, and looked up again only when those changed. */
export class LastingRights {
  readonly #rbac: CurrentPolicy;
  readonly #asked: readonly Access[];
  #generation = -1;
  #refusal: ApiError | undefined;

  constructor(rbac: CurrentPolicy, asked: readonly Access[]) {
    this.#rbac = rbac;
    this.#asked = asked;
  }

  /** Undefined: go on. */
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
