import type { Token } from '../token.ts';
import type { RuleName } from './grammar.ts';

/** The recognized part of a rule. */
export interface Tree {
  readonly rule: RuleName;
  /** From 1; 0 if none was chosen, or the rule has only one. */
  readonly alternative: number;
  readonly first: Token;
  readonly children: (Tree | Token)[];
}

export function isTree(child: Tree | Token): child is Tree {
  return 'rule' in child;
}

export function subtrees({ children }: Tree, rule: RuleName): readonly Tree[] {
  return children.filter(isTree).filter((child) => child.rule === rule);
}

export function tokensOf({ children }: Tree, ...kinds: readonly Token['kind'][]): readonly Token[] {
  return children.filter((child): child is Token => !isTree(child)).filter(({ kind }) => kinds.includes(kind));
}
