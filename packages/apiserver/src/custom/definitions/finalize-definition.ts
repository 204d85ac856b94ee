import { errorMessage, formatTime } from '@flotilla/kube';
import {
  isConditionTrue,
  terminating,
  withCondition,
  type ConditionState,
  type CustomResourceDefinition,
} from '@flotilla/schema';
import type { Server } from '../../call/server.ts';
import { collectionOf } from '../objects/custom-resource.ts';
import { cleanupFinalizer } from '../../resources/definition-deletion.ts';
import { deleteInstances, untilEmpty } from './delete-instances.ts';
import { writeDefinition, type Change } from './write-definition.ts';

/** After this time the condition reports what the definition waits for. */
const reportAfterMs = 60_000;

/** Deletes the objects of a definition, waits until they are gone, and removes the finalizer of the definition. */
export async function finalizeDefinition(server: Server, definition: CustomResourceDefinition): Promise<void> {
  const { name = '' } = definition.metadata;
  await writeDefinition(server, name, terminatingChange(terminating.inProgress));
  const outcome = isConditionTrue(definition, 'Established')
    ? await emptied(server, definition)
    : terminating.neverEstablished;
  if (outcome.status === 'True') return writeDefinition(server, name, terminatingChange(outcome));
  return writeDefinition(server, name, (current, now) => {
    if (!mustFinalize(current)) return false;
    setTerminating(current, outcome, now);
    const finalizers = current.metadata.finalizers?.filter((finalizer) => finalizer !== cleanupFinalizer);
    if (finalizers?.length) current.metadata.finalizers = finalizers;
    else delete current.metadata.finalizers;
    return true;
  });
}

/** Whether a definition is being deleted and still has to delete its objects. */
export function mustFinalize({ metadata }: Pick<CustomResourceDefinition, 'metadata'>): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(cleanupFinalizer) === true;
}

async function emptied(
  server: Pick<Server, 'store' | 'now' | 'after' | 'turns'>,
  { spec }: CustomResourceDefinition,
): Promise<ConditionState> {
  const collection = collectionOf(spec.group, spec.names.plural);
  try {
    await deleteInstances(server, collection);
  } catch (error) {
    return terminating.couldNotDelete(errorMessage(error));
  }
  const isEmpty = await untilEmpty(server.store, collection, server.after, reportAfterMs);
  return isEmpty ? terminating.completed : terminating.notConfirmed('context deadline exceeded');
}

function terminatingChange(state: ConditionState): Change {
  return (definition, now) => {
    if (!mustFinalize(definition)) return false;
    setTerminating(definition, state, now);
    return true;
  };
}

function setTerminating(definition: CustomResourceDefinition, state: ConditionState, now: Date): void {
  const { status } = definition;
  definition.status = { ...status, conditions: withCondition(status?.conditions, state, formatTime(now)) };
}
