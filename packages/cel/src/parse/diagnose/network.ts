/** The grammar as a network of states, like ANTLR's ATN. Walking it finds the possible next tokens. */
import type { TokenKind } from '../token.ts';
import { grammar, type Alternative, type Element, type RuleName } from './grammar.ts';

/** Determines how to recover from an unexpected token in this state. */
export type StateKind = 'plain' | 'decision' | 'loop-back' | 'stop';

export interface State {
  readonly id: number;
  readonly kind: StateKind;
  readonly rule: RuleName;
  readonly edges: Edge[];
}

export type Edge =
  | { readonly kind: 'free'; readonly to: State }
  | { readonly kind: 'token'; readonly tokens: ReadonlySet<TokenKind>; readonly to: State }
  | { readonly kind: 'call'; readonly rule: RuleName; readonly precedence: number; readonly to: State }
  /** Open for operators with at least this precedence. */
  | { readonly kind: 'precedence'; readonly precedence: number; readonly to: State };

/** The grammar with its states. */
export type Step =
  | { readonly kind: 'match'; readonly state: State; readonly tokens: ReadonlySet<TokenKind> }
  | { readonly kind: 'call'; readonly state: State; readonly rule: RuleName; readonly precedence: number }
  | { readonly kind: 'optional'; readonly state: State; readonly body: readonly Step[]; readonly bodyStart: State }
  | {
      readonly kind: 'star';
      readonly entry: State;
      readonly loopBack: State;
      readonly block: State;
      readonly alternatives: readonly (readonly Step[])[];
      readonly looksAhead: boolean;
    }
  | {
      readonly kind: 'plus';
      readonly block: State;
      readonly loopBack: State;
      readonly body: readonly Step[];
      readonly looksAhead: boolean;
    }
  | { readonly kind: 'choice'; readonly state: State; readonly alternatives: readonly (readonly Step[])[] };

export interface Rule {
  readonly name: RuleName;
  readonly start: State;
  readonly stop: State;
  readonly steps: readonly Step[];
}

/** The state after a call of a rule. */
export interface Follow {
  readonly to: State;
  /** Whether the call had no minimum precedence. */
  readonly isOutermost: boolean;
}

const states: State[] = [];
export const follows = new Map<RuleName, Follow[]>();
export const rules = buildRules();

function buildRules(): ReadonlyMap<RuleName, Rule> {
  const built = new Map<RuleName, Rule>();
  for (const [key, elements] of Object.entries(grammar)) {
    const name = key as RuleName;
    const stop = newState(name, 'stop');
    const { start, steps } = buildSequence(name, elements, stop);
    built.set(name, { name, start, stop, steps });
  }
  return built;
}

function newState(rule: RuleName, kind: StateKind, ...edges: Edge[]): State {
  const state: State = { id: states.length, kind, rule, edges };
  states.push(state);
  return state;
}

function free(to: State): Edge {
  return { kind: 'free', to };
}

/** Built from the end, so that each element knows its successor. */
function buildSequence(rule: RuleName, elements: readonly Element[], end: State): { start: State; steps: Step[] } {
  let start = end;
  const steps: Step[] = [];
  for (const element of elements.toReversed()) {
    const built = buildElement(rule, element, start);
    start = built.start;
    steps.unshift(built.step);
  }
  return { start, steps };
}

function buildElement(rule: RuleName, element: Element, next: State): { start: State; step: Step } {
  switch (element.kind) {
    case 'token': {
      const tokens = new Set(element.tokens);
      const state = newState(rule, 'plain', { kind: 'token', tokens, to: next });
      return { start: state, step: { kind: 'match', state, tokens } };
    }
    case 'rule': {
      const { rule: called, precedence } = element;
      const state = newState(rule, 'plain', { kind: 'call', rule: called, precedence, to: next });
      const known = follows.get(called) ?? [];
      follows.set(called, [...known, { to: next, isOutermost: precedence === 0 }]);
      return { start: state, step: { kind: 'call', state, rule: called, precedence } };
    }
    case 'optional': {
      const { start, steps } = buildSequence(rule, element.body, next);
      const state = newState(rule, 'decision', free(start), free(next));
      return { start: state, step: { kind: 'optional', state, body: steps, bodyStart: start } };
    }
    case 'star': {
      const loopBack = newState(rule, 'loop-back');
      const { block, alternatives } = buildAlternatives(rule, element.alternatives, loopBack);
      const entry = newState(rule, 'decision', free(block), free(next));
      loopBack.edges.push(free(entry));
      const { looksAhead } = element;
      return { start: entry, step: { kind: 'star', entry, loopBack, block, alternatives, looksAhead } };
    }
    case 'plus': {
      const loopBack = newState(rule, 'loop-back');
      const { start, steps } = buildSequence(rule, element.body, loopBack);
      const block = newState(rule, 'decision', free(start));
      loopBack.edges.push(free(block), free(next));
      return { start: block, step: { kind: 'plus', block, loopBack, body: steps, looksAhead: element.looksAhead } };
    }
    case 'choice': {
      const { block, alternatives } = buildAlternatives(rule, element.alternatives, next);
      return { start: block, step: { kind: 'choice', state: block, alternatives } };
    }
  }
}

function buildAlternatives(
  rule: RuleName,
  alternatives: readonly Alternative[],
  end: State,
): { block: State; alternatives: Step[][] } {
  const block = newState(rule, 'decision');
  const built = alternatives.map(({ elements, precedence }) => {
    const { start, steps } = buildSequence(rule, elements, end);
    block.edges.push(precedence === undefined ? free(start) : { kind: 'precedence', precedence, to: start });
    return steps;
  });
  return { block, alternatives: built };
}

export interface NextTokens {
  readonly tokens: ReadonlySet<TokenKind>;
  /** Whether the rule may end here. */
  readonly mayEnd: boolean;
}

const knownNext = new Map<State, NextTokens>();

/** The possible next tokens within the rule of a state. */
export function nextTokens(state: State): NextTokens {
  const known = knownNext.get(state);
  if (known !== undefined) return known;
  const tokens = new Set<TokenKind>();
  const visited = new Set<State>();
  let mayEnd = false;
  const visit = (current: State): void => {
    if (visited.has(current)) return;
    visited.add(current);
    if (current.kind === 'stop') mayEnd = true;
    for (const edge of current.edges) {
      if (edge.kind === 'token') edge.tokens.forEach((kind) => tokens.add(kind));
      // No rule is empty, so only its first tokens matter.
      else if (edge.kind === 'call') nextTokens(ruleNamed(edge.rule).start).tokens.forEach((kind) => tokens.add(kind));
      else visit(edge.to);
    }
  };
  visit(state);
  const next = { tokens, mayEnd };
  knownNext.set(state, next);
  return next;
}

export function ruleNamed(name: RuleName): Rule {
  return rules.get(name) as Rule;
}
