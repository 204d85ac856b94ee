/** Which fields an endpoint may write. The others are reset by it, so a manager that goes through it never owns them. */
import { emptySet, fieldNode, recursiveDifference, setOfPaths, type FieldNode, type FieldSet } from './field-set.ts';
import { fieldElement, fieldPath } from './path-element.ts';

export type FieldFilter = (set: FieldSet) => FieldSet;

/** Everything but these fields and what is below them: `[['status']]`. */
export function exceptFields(paths: readonly (readonly string[])[]): FieldFilter {
  const excluded = setOfPaths(paths.map((path) => fieldPath(...path)));
  return (set) => recursiveDifference(set, excluded);
}

/** Only these fields and what is below them. `*` stands for any one step: `['spec', 'containers', '*', 'resources']`. */
export function onlyFields(patterns: readonly (readonly string[])[]): FieldFilter {
  return (set) => matching(set, patterns);
}

function matching(set: FieldSet, patterns: readonly (readonly string[])[]): FieldSet {
  if (patterns.some((pattern) => pattern.length === 0)) return set;
  const nodes: FieldNode[] = [];
  for (const node of set) {
    const rest = patterns.filter(([step = '']) => step === '*' || fieldElement(step) === node.element);
    if (rest.length === 0) continue;
    const children = matching(
      node.children,
      rest.map(([, ...steps]) => steps),
    );
    if (node.member || children.length > 0) nodes.push(fieldNode(node.element, node.member, children));
  }
  return nodes.length === 0 ? emptySet : nodes;
}
