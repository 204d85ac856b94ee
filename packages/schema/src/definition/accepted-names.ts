/** Decides which names a definition gets: names of resources and of kinds must be unique within a group. */
import { aggregate, quote } from '@flotilla/kube';
import { condition, conditionOf, type ConditionState } from './conditions.ts';
import type { CustomResourceDefinition, DefinitionCondition, DefinitionNames } from './custom-resource-definition.ts';

interface NamesDecision {
  readonly acceptedNames: DefinitionNames;
  readonly namesAccepted: ConditionState;
  readonly established: ConditionState | DefinitionCondition;
}

/**
 * Accepts each free name, even if others conflict, and reports the last conflict. `others`: definitions of the same
 * group, whose accepted names are in use.
 */
export function acceptNames(
  definition: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
): NamesDecision {
  const requested = definition.spec.names;
  const own = definition.status?.acceptedNames ?? { plural: '', kind: '' };
  const used = namesInUse(definition, others);
  const accepted: DefinitionNames = { ...own };
  let conflict: Conflict | undefined;
  for (const { name, reason, among } of singleAndShortNames) {
    if (name === 'shortNames') {
      const taken = takenShortNames(requested.shortNames, own.shortNames, used.resources);
      if (taken.length > 0) conflict = { reason, message: aggregate(taken.map(inUse)) };
      else setShortNames(accepted, requested.shortNames);
      continue;
    }
    const wanted = requested[name] ?? '';
    if (wanted !== (own[name] ?? '') && used[among].has(wanted)) conflict = { reason, message: inUse(wanted) };
    else accepted[name] = wanted;
  }
  if (requested.categories === undefined) delete accepted.categories;
  else accepted.categories = requested.categories;

  const namesAccepted = conflict
    ? condition('NamesAccepted', 'False', conflict.reason, conflict.message)
    : condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found');
  return { acceptedNames: accepted, namesAccepted, established: establishedAfter(definition, namesAccepted) };
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

interface NamesInUse {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

const singleAndShortNames = [
  { name: 'plural', reason: 'PluralConflict', among: 'resources' },
  { name: 'singular', reason: 'SingularConflict', among: 'resources' },
  { name: 'shortNames', reason: 'ShortNamesConflict', among: 'resources' },
  { name: 'kind', reason: 'KindConflict', among: 'kinds' },
  { name: 'listKind', reason: 'ListKindConflict', among: 'kinds' },
] as const;

function namesInUse(definition: CustomResourceDefinition, others: Iterable<CustomResourceDefinition>): NamesInUse {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of [definition, ...others]) {
    const names = status?.acceptedNames;
    if (names === undefined) continue;
    for (const name of [names.plural, names.singular ?? '', ...(names.shortNames ?? [])]) resources.add(name);
    for (const name of [names.kind, names.listKind ?? '']) kinds.add(name);
  }
  return { resources, kinds };
}

function takenShortNames(
  requested: readonly string[] = [],
  own: readonly string[] = [],
  used: ReadonlySet<string>,
): string[] {
  const ours = new Set(own);
  return requested.filter((name) => !ours.has(name) && used.has(name));
}

function setShortNames(names: DefinitionNames, shortNames: string[] | undefined): void {
  if (shortNames === undefined) delete names.shortNames;
  else names.shortNames = shortNames;
}

function inUse(name: string): string {
  return `${quote(name)} is already in use`;
}

/** An established definition stays established. Before that, it waits to be served after its names are accepted. */
function establishedAfter(
  definition: CustomResourceDefinition,
  namesAccepted: ConditionState,
): ConditionState | DefinitionCondition {
  const before = conditionOf(definition, 'Established');
  if (before?.status !== 'True' && namesAccepted.status === 'True') {
    return condition('Established', 'False', 'Installing', 'the initial names have been accepted');
  }
  return before ?? condition('Established', 'False', 'NotAccepted', 'not all names are accepted');
}
