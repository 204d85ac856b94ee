import { connect, ConnectionError, KubeconfigError, type Client } from '@flotilla/client';
import { ApiError, customResourceDefinitions } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { UserError } from './user-error.ts';

export interface DefinitionServer {
  readonly kubeconfig: string;
  readonly context?: string | undefined;
}

/** The CRDs of a server: those with the given names, or all if there are none. */
export async function serverDefinitions(
  { kubeconfig, context }: DefinitionServer,
  names: readonly string[],
): Promise<CustomResourceDefinition[]> {
  try {
    const client = await connect({
      kubeconfig,
      environment: process.env,
      ...(context !== undefined && { context }),
    });
    return select(await allOf(client).finally(() => client.close()), names);
  } catch (error) {
    if (!isUserError(error)) throw error;
    throw new UserError(`cannot read CustomResourceDefinitions: ${error.message}.`, { cause: error });
  }
}

async function allOf(client: Client): Promise<CustomResourceDefinition[]> {
  const definitions: CustomResourceDefinition[] = [];
  // The server has validated them.
  for await (const object of client.each(customResourceDefinitions)) {
    definitions.push(object as unknown as CustomResourceDefinition);
  }
  return definitions;
}

function select(
  definitions: readonly CustomResourceDefinition[],
  names: readonly string[],
): CustomResourceDefinition[] {
  if (definitions.length === 0) throw new UserError('the server has no CustomResourceDefinition.');
  const unknown = names.filter((name) => !definitions.some((definition) => hasName(definition, name)));
  if (unknown.length > 0) {
    const known = definitions.map(({ metadata }) => metadata.name ?? '').join(', ');
    throw new UserError(`the server has no CustomResourceDefinition ${unknown.join(', ')}; it has ${known}.`);
  }
  return definitions.filter((definition) => names.length === 0 || names.some((name) => hasName(definition, name)));
}

/** Accepts the name of the CRD and all names that kubectl accepts for its kind. */
function hasName({ metadata, spec: { names } }: CustomResourceDefinition, name: string): boolean {
  return [metadata.name, names.plural, names.singular, names.kind, ...(names.shortNames ?? [])].includes(name);
}

function isUserError(error: unknown): error is Error {
  return error instanceof KubeconfigError || error instanceof ConnectionError || error instanceof ApiError;
}
