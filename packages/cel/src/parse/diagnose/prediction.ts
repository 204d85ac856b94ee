/**
 * Predicts the alternative for the next tokens as ANTLR does: follows all alternatives at once until one is left.
 * First assumes every possible caller of a rule (SLL). Only if that is ambiguous, uses the actual caller (LL).
 */
import type { Token, TokenKind } from '../token.ts';
import { follows, ruleNamed, type State } from './network.ts';

/** The return states of rules. Equal stacks from one root are the same object. */
export class ReturnStack {
  static #count = 0;

  readonly id = ReturnStack.#count++;
  /** Undefined at the root. */
  readonly top: State | undefined;
  readonly #below: ReturnStack | undefined;
  readonly #pushed = new Map<State, ReturnStack>();

  constructor(top?: State, below?: ReturnStack) {
    this.top = top;
    this.#below = below;
  }

  push(state: State): ReturnStack {
    let pushed = this.#pushed.get(state);
    if (pushed === undefined) this.#pushed.set(state, (pushed = new ReturnStack(state, this)));
    return pushed;
  }

  pop(): ReturnStack {
    return this.#below ?? this;
  }
}

interface Config {
  readonly state: State;
  readonly alternative: number;
  readonly stack: ReturnStack;
  /** Whether it has left the rule of the decision. */
  readonly isOutside: boolean;
  /** Whether it left through a call without a minimum precedence. */
  readonly isOutermost: boolean;
}

export interface Decision {
  readonly state: State;
  /** Whether the decision enters or leaves the loop of an operator rule. */
  readonly isPrecedenceLoop: boolean;
  /** The minimum precedence of operators. */
  readonly precedence: number;
  readonly stack: ReturnStack;
}

/** No alternative fits the tokens from `first` to `last`. */
export interface NoAlternative {
  readonly first: number;
  readonly last: number;
}

/** The number of the alternative, from 1. */
export function predict(decision: Decision, tokens: readonly Token[], position: number): number | NoAlternative {
  const quick = follow(cachedStart(decision), tokens, position);
  return quick === 'conflict' ? (follow(exactStart(decision), tokens, position) as number | NoAlternative) : quick;
}

/** A state of the prediction, with its known successors. */
interface Lookahead {
  readonly isExact: boolean;
  readonly configs: readonly Config[];
  readonly verdict: number | 'conflict' | undefined;
  readonly next: Map<TokenKind, Lookahead>;
}

/** By state and precedence of the decision. They do not depend on the text, so a limited number is cached. */
const cached = new Map<State, Map<number, Lookahead>>();
const maxCached = 10_000;
let cachedCount = 0;

function cachedStart(decision: Decision): Lookahead {
  if (cachedCount > maxCached) {
    cached.clear();
    cachedCount = 0;
  }
  const byPrecedence = cached.get(decision.state) ?? new Map<number, Lookahead>();
  cached.set(decision.state, byPrecedence);
  let start = byPrecedence.get(decision.precedence);
  if (start === undefined) {
    start = { isExact: false, configs: startConfigs(decision, false), verdict: undefined, next: new Map() };
    byPrecedence.set(decision.precedence, start);
  }
  return start;
}

function exactStart(decision: Decision): Lookahead {
  return { isExact: true, configs: startConfigs(decision, true), verdict: undefined, next: new Map() };
}

function follow(start: Lookahead, tokens: readonly Token[], position: number): number | NoAlternative | 'conflict' {
  const end = tokens.length - 1;
  let lookahead = start;
  for (let index = position; ; index = Math.min(index + 1, end)) {
    const before = lookahead;
    lookahead = step(before, (tokens[index] as Token).kind);
    if (lookahead.configs.length === 0) return finishedAlternative(before.configs) ?? { first: position, last: index };
    if (lookahead.verdict !== undefined) return lookahead.verdict;
  }
}

function step(lookahead: Lookahead, kind: TokenKind): Lookahead {
  const known = lookahead.next.get(kind);
  if (known !== undefined) return known;
  const { isExact } = lookahead;
  const configs = advance(lookahead.configs, kind, isExact);
  const reached: Lookahead = { isExact, configs, verdict: verdictOn(configs, isExact), next: new Map() };
  lookahead.next.set(kind, reached);
  cachedCount++;
  return reached;
}

/** The alternative if one is left, `conflict` if the rest are ambiguous; undefined if more tokens are needed. */
function verdictOn(configs: readonly Config[], isExact: boolean): number | 'conflict' | undefined {
  const alternatives = new Set(configs.map(({ alternative }) => alternative));
  if (alternatives.size === 1) return configs[0]?.alternative;
  if (isExact) return resolvedAlternative(configs);
  return isConflict(configs) ? 'conflict' : undefined;
}

function startConfigs({ state, isPrecedenceLoop, precedence, stack }: Decision, isExact: boolean): Config[] {
  const root = new ReturnStack();
  const starts = state.edges.map((edge, index): Config => ({
    state: edge.to,
    alternative: index + 1,
    stack: isExact ? stack : root,
    isOutside: false,
    isOutermost: false,
  }));
  const passable = starts.filter((_start, index) => {
    const edge = state.edges[index];
    return edge?.kind !== 'precedence' || edge.precedence >= precedence;
  });
  const configs = close(passable, isExact, precedence);
  return isPrecedenceLoop ? preferStaying(configs) : configs;
}

/** Does not leave the loop of an operator rule if an outer loop would only meet the same operator. */
function preferStaying(configs: readonly Config[]): Config[] {
  const staying = new Set(configs.filter(({ alternative }) => alternative === 1).map(placeOf));
  return configs.filter((config) => config.alternative === 1 || config.isOutermost || !staying.has(placeOf(config)));
}

function placeOf({ state, stack }: Config): string {
  return `${state.id}:${stack.id}`;
}

function advance(configs: readonly Config[], kind: TokenKind, isExact: boolean): Config[] {
  const moved: Config[] = [];
  for (const config of configs) {
    for (const edge of config.state.edges) {
      if (edge.kind === 'token' && edge.tokens.has(kind)) moved.push({ ...config, state: edge.to });
    }
  }
  return close(moved, isExact, undefined);
}

/**
 * All states reachable without a token. Precedence matters only before the first token, in the rule of the decision.
 */
function close(starts: readonly Config[], isExact: boolean, precedence: number | undefined): Config[] {
  const result: Config[] = [];
  const visited = new Set<string>();
  const pending = starts.map((config) => ({ config, depth: 0 })).reverse();
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { config, depth } = item;
    const key = `${placeOf(config)}:${config.alternative}:${config.isOutermost}`;
    if (visited.has(key)) continue;
    visited.add(key);
    const { state, stack } = config;
    if (state.kind === 'stop') {
      if (stack.top !== undefined) {
        const returned = { ...config, state: stack.top, stack: stack.pop() };
        pending.push({ config: returned, depth: depth - 1 });
      } else if (isExact) {
        result.push(config);
      } else {
        for (const { to, isOutermost } of follows.get(state.rule) ?? []) {
          const outside = { ...config, state: to, isOutside: true, isOutermost: config.isOutermost || isOutermost };
          pending.push({ config: outside, depth: depth - 1 });
        }
        if (follows.get(state.rule) === undefined) result.push(config);
      }
      continue;
    }
    if (state.edges.some(({ kind }) => kind === 'token')) result.push(config);
    for (const edge of state.edges) {
      if (edge.kind === 'call') {
        const called = { ...config, state: ruleNamed(edge.rule).start, stack: stack.push(edge.to) };
        pending.push({ config: called, depth: depth >= 0 ? depth + 1 : depth });
      } else if (edge.kind === 'free') {
        pending.push({ config: { ...config, state: edge.to }, depth });
      } else if (edge.kind === 'precedence') {
        const isPassable = precedence === undefined || depth !== 0 || edge.precedence >= precedence;
        if (isPassable) pending.push({ config: { ...config, state: edge.to }, depth });
      }
    }
  }
  return result;
}

/** If nothing fits: the first alternative that reached the end of the rule. */
function finishedAlternative(configs: readonly Config[]): number | undefined {
  const finished = configs.filter(({ isOutside, state, stack }) => {
    return isOutside || (state.kind === 'stop' && stack.top === undefined);
  });
  return finished.length === 0 ? undefined : Math.min(...finished.map(({ alternative }) => alternative));
}

/** The alternatives of each state and stack. Several stacks of one alternative count as one. */
function alternativesByPlace(
  configs: readonly Config[],
): ReadonlyMap<string, { state: State; alternatives: Set<number> }> {
  const ways = new Map<string, { config: Config; stacks: Set<number>; isAnywhere: boolean }>();
  for (const config of configs) {
    const key = `${config.state.id}:${config.alternative}`;
    const known = ways.get(key);
    const isAnywhere = config.stack.top === undefined || (known?.isAnywhere ?? false);
    ways.set(key, { config, stacks: (known?.stacks ?? new Set()).add(config.stack.id), isAnywhere });
  }
  const places = new Map<string, { state: State; alternatives: Set<number> }>();
  for (const { config, stacks, isAnywhere } of ways.values()) {
    const stackKey = isAnywhere ? '' : [...stacks].sort((a, b) => a - b).join(',');
    const key = `${config.state.id}:${stackKey}`;
    const place = places.get(key) ?? { state: config.state, alternatives: new Set<number>() };
    place.alternatives.add(config.alternative);
    places.set(key, place);
  }
  return places;
}

function isConflict(configs: readonly Config[]): boolean {
  if (configs.every(({ state }) => state.kind === 'stop')) return true;
  const places = [...alternativesByPlace(configs).values()];
  if (!places.some(({ alternatives }) => alternatives.size > 1)) return false;
  const byState = new Map<State, Set<number>>();
  for (const { state, alternatives } of places) {
    byState.set(state, new Set([...(byState.get(state) ?? []), ...alternatives]));
  }
  return ![...byState.values()].some((alternatives) => alternatives.size === 1);
}

/** The one alternative that is first everywhere. */
function resolvedAlternative(configs: readonly Config[]): number | undefined {
  const firsts = new Set(
    Array.from(alternativesByPlace(configs).values(), ({ alternatives }) => Math.min(...alternatives)),
  );
  return firsts.size === 1 ? [...firsts][0] : undefined;
}
