/** The one kind of ours that a member must serve: AppliedWork owns all that comes from the hub. */
import { appliedWorks, memberDefinitions } from '@flotilla/api';
import type { Client, Clock } from '@flotilla/client';
import { ApiError, apiVersionOf, isJsonObject, parseJson, type Kind, type KubeObject } from '@flotilla/kube';
import { pause } from '@flotilla/runtime';

const customResourceDefinitions: Kind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** The member lacks the kind, and nobody said that it may be brought. */
export class AppliedWorkMissing extends Error {
  override readonly name = 'AppliedWorkMissing';

  constructor() {
    super(`the member does not serve ${appliedWorks.kind} of ${apiVersionOf(appliedWorks)}`);
  }
}

export interface Installing {
  readonly member: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether to bring the kind where it is missing. */
  readonly installs: boolean;
}

/** A definition that was just written takes a moment to be served. */
const retryMs = 50;
const tries = 200;

/** Resolves when AppliedWorks can be kept. */
export async function ensureAppliedWorks({ member, clock, signal, installs }: Installing): Promise<void> {
  if (await isServed(member, signal)) return;
  if (!installs) throw new AppliedWorkMissing();
  for (const definition of await memberDefinitions()) {
    await member.create(customResourceDefinitions, definition as unknown as KubeObject, { signal }).catch(unlessThere);
  }
  for (let left = tries; !(await isServed(member, signal)); left--) {
    if (left === 0) throw new AppliedWorkMissing();
    await pause(clock, retryMs, signal);
    signal.throwIfAborted();
  }
}

async function isServed(member: Client, signal: AbortSignal): Promise<boolean> {
  try {
    const { body } = await member.request({ method: 'GET', path: `/apis/${apiVersionOf(appliedWorks)}`, signal });
    const { value } = parseJson(Buffer.from(body).toString('utf8'));
    const resources = isJsonObject(value) && Array.isArray(value['resources']) ? value['resources'] : [];
    return resources.some((resource) => isJsonObject(resource) && resource['kind'] === appliedWorks.kind);
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return false;
    throw error;
  }
}

/** Another replica was faster. */
function unlessThere(error: unknown): undefined {
  if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
}
