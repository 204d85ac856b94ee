import type { SchemaNode } from '../schema-node.ts';
import { CelReader } from './cel-reader.ts';
import { declarationOf, type CelDeclaration } from './cel-type.ts';
import { compileRule, type CompiledRule } from './compiled-rule.ts';
import { escapeName } from './escape-name.ts';

/** The rules at a schema node and below it. Parts of a schema without rules have no such node. */
export interface RuleNode {
  readonly node: SchemaNode;
  readonly reader: CelReader;
  /** Undefined if expressions cannot see the values, so that the rules cannot run. */
  readonly rules: () => readonly CompiledRule[] | undefined;
  readonly hasRules: boolean;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
}

/** The root is usually that of a resource; for defaults it is any part of one. */
export function ruleTree(root: SchemaNode, isResource: boolean): RuleNode | undefined {
  return ruleNode(root, declarationOf(root.schema, isResource), isResource);
}

function ruleNode(
  node: SchemaNode,
  declaration: CelDeclaration | undefined,
  isResource = node.isEmbedded,
): RuleNode | undefined {
  if (!node.below.hasRules) return undefined;
  const { schema } = node;
  const written = schema['x-kubernetes-validations'] ?? [];
  let compiled: readonly CompiledRule[] | undefined;
  return {
    node,
    reader: new CelReader(schema, isResource),
    rules: () => (compiled ??= declaration && written.map((rule) => compileRule(rule, declaration.type, schema))),
    hasRules: written.length > 0,
    properties: propertiesOf(node, declaration),
    items: node.items && ruleNode(node.items, declaration?.element),
    values: node.values && ruleNode(node.values, declaration?.element),
  };
}

function propertiesOf(node: SchemaNode, declaration: CelDeclaration | undefined): ReadonlyMap<string, RuleNode> {
  const found = new Map<string, RuleNode>();
  for (const [name, property] of node.properties) {
    const type = declarationOfProperty(name, property, declaration);
    const rules = type && ruleNode(property, type);
    if (rules !== undefined) found.set(name, rules);
  }
  return found;
}

/** A name that expressions cannot write is not a field of its object, but has a type by itself. */
function declarationOfProperty(
  name: string,
  { schema, isEmbedded }: SchemaNode,
  parent: CelDeclaration | undefined,
): CelDeclaration | undefined {
  const escaped = escapeName(name);
  return escaped === undefined ? declarationOf(schema, isEmbedded) : parent?.fields?.get(escaped);
}
