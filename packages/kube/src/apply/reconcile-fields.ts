import { entryType, firstAtom } from './atom.ts';
import { emptySet, fieldNode, type FieldNode, type FieldSet } from './field-set.ts';
import { deduced, type MergeType } from './merge-type.ts';
import { fieldNameOf, isFieldElement, type PathElement } from './path-element.ts';

/**
 * Fields that were written when a type was merged field by field, read with a schema that owns it as a whole now: who
 * owned something inside owns all of it. Gives back the same set when nothing of the kind is there.
 */
export function reconcileWithSchema(type: MergeType, set: FieldSet): FieldSet {
  let changed = false;
  const nodes = set.map((node) => {
    const reconciled = reconcileNode(type, node);
    if (reconciled !== node) changed = true;
    return reconciled;
  });
  return changed ? nodes : set;
}

function reconcileNode(type: MergeType, node: FieldNode): FieldNode {
  const below = node.children.length === 0 ? undefined : typeBelow(type, node.element);
  if (below === undefined || below.map === deduced.map) return node;
  if (isAtomic(below)) return fieldNode(node.element, true, emptySet);
  const children = reconcileWithSchema(below, node.children);
  return children === node.children ? node : fieldNode(node.element, node.member, children);
}

function isAtomic(type: MergeType): boolean {
  const atom = firstAtom(type);
  return atom !== 'scalar' && type[atom]?.relationship === 'atomic';
}

function typeBelow(type: MergeType, element: PathElement): MergeType | undefined {
  switch (firstAtom(type)) {
    case 'map':
      return isFieldElement(element) && type.map !== undefined
        ? entryType(type.map, fieldNameOf(element))
        : type.map?.element?.();
    case 'list':
      return type.list?.element();
    case 'scalar':
      return undefined;
  }
}
