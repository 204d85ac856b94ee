import { entryType } from './atom.ts';
import { fieldNode, type FieldSet } from './field-set.ts';
import type { MergeType } from './merge-type.ts';
import { fieldNameOf, isFieldElement, isKeyElement, type PathElement } from './path-element.ts';

/**
 * Makes every declared field that has members below it a member too. A struct is owned only through what is in it; with
 * this, it goes away when all of that does.
 */
export function withNamedFields(type: MergeType | undefined, set: FieldSet): FieldSet {
  return set.map((node) => {
    if (node.children.length === 0) return node;
    const named = isFieldElement(node.element) && type?.map?.field(fieldNameOf(node.element)) !== undefined;
    return fieldNode(node.element, node.member || named, withNamedFields(typeBelow(type, node.element), node.children));
  });
}

function typeBelow(type: MergeType | undefined, element: PathElement): MergeType | undefined {
  if (isFieldElement(element)) return type?.map === undefined ? undefined : entryType(type.map, fieldNameOf(element));
  return isKeyElement(element) ? type?.list?.element() : undefined;
}
