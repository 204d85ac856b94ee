import { connect, ConnectionError, KubeconfigError, type Client } from '@flotilla/client';
import { ApiError, customResourceDefinitions } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { UserFault } from './user-error.ts';

export interface ServerOfDefinitions {
  readonly kubeconfig: string;
  readonly context?: string | undefined;
}

/** The definitions that a server has under these names, or all that it has. */
export async function definitionsOfServer(
  { kubeconfig, context }: ServerOfDefinitions,
  names: readonly string[],
): Promise<CustomResourceDefinition[]> {
  try {
    const client = await connect({
      kubeconfig,
      environment: process.env,
      ...(context !== undefined && { context }),
    });
    return chosen(await allOf(client).finally(() => client.close()), names);
  } catch (error) {
    if (!isTheirs(error)) throw error;
    throw new UserFault(`cannot read definitions: ${error.message}.`, { cause: error });
  }
}

async function allOf(client: Client): Promise<CustomResourceDefinition[]> {
  const definitions: CustomResourceDefinition[] = [];
  // A server has checked what it holds.
  for await (const object of client.each(customResourceDefinitions)) {
    definitions.push(object as unknown as CustomResourceDefinition);
  }
  return definitions;
}

function chosen(
  definitions: readonly CustomResourceDefinition[],
  names: readonly string[],
): CustomResourceDefinition[] {
  if (definitions.length === 0) throw new UserFault('the server has no CustomResourceDefinition.');
  const unknown = names.filter((name) => !definitions.some((definition) => isCalled(definition, name)));
  if (unknown.length > 0) {
    const known = definitions.map(({ metadata }) => metadata.name ?? '').join(', ');
    throw new UserFault(`the server has no definition of ${unknown.join(', ')}; it has ${known}.`);
  }
  return definitions.filter((definition) => names.length === 0 || names.some((name) => isCalled(definition, name)));
}

/** By its whole name, or as people call its kind. */
function isCalled({ metadata, spec: { names } }: CustomResourceDefinition, name: string): boolean {
  return [metadata.name, names.plural, names.singular, names.kind, ...(names.shortNames ?? [])].includes(name);
}

function isTheirs(error: unknown): error is Error {
  return error instanceof KubeconfigError || error instanceof ConnectionError || error instanceof ApiError;
}
