/** Parses past errors as ANTLR does, to report all of them. */
import type { Token, TokenKind } from '../token.ts';
import { tokenKinds } from '../token.ts';
import type { RuleName } from './grammar.ts';
import { nextTokens, ruleNamed, type State, type Step } from './network.ts';
import { predict, ReturnStack, type NoAlternative } from './prediction.ts';
import type { Tree } from './tree.ts';

/** Stops parsing. The message concerns the whole expression. */
export class ParsingStopped {
  readonly message: string | undefined;

  constructor(message?: string) {
    this.message = message;
  }
}

const maxRuleDepth = 250;
const maxRecoveries = 30;
const maxSkippedTokens = 256;

/** An entered rule. */
interface Call {
  readonly rule: RuleName;
  readonly caller: Call | undefined;
  /** The state after this rule; undefined for the outermost. */
  readonly follow: State | undefined;
  readonly stack: ReturnStack;
  readonly precedence: number;
  tree: Tree;
}

type CallStep = Extract<Step, { kind: 'call' }>;

/** A rule that is running, or waits for one that it called. */
interface Running {
  readonly call: Call;
  /** The state of the call. */
  readonly callState: State | undefined;
  readonly steps: Generator<CallStep, void>;
}

/** A syntax error. Ends its rule. */
class SyntaxFailure {
  readonly token: Token;
  readonly message: string;

  constructor(token: Token, message: string) {
    this.token = token;
    this.message = message;
  }
}

export class RecoveringParser {
  readonly #text: (first: Token, last: Token) => string;
  readonly #tokens: readonly Token[];
  readonly #syntaxError: (token: Token, message: string) => void;
  readonly #depths = new Map<RuleName, number>();
  #position = 0;
  #state: State = ruleNamed('start').start;
  /** Reports nothing between an error and the next matching token. */
  #isRecovering = false;
  #lastErrorPosition = -1;
  #lastErrorStates = new Set<State>();
  #recoveries = 0;

  constructor(
    tokens: readonly Token[],
    text: (first: Token, last: Token) => string,
    syntaxError: (token: Token, message: string) => void,
  ) {
    this.#tokens = tokens;
    this.#text = text;
    this.#syntaxError = syntaxError;
  }

  /** Uses its own stack: rules at the maximum depth would overflow the engine's. */
  parse(): Tree {
    const outermost = this.#enter(undefined, 'start', 0, undefined);
    const running = [outermost];
    for (let current = running.at(-1); current !== undefined; current = running.at(-1)) {
      const called = this.#advance(current);
      if (called === undefined) this.#leave(running.pop() as Running);
      else running.push(this.#enter(current.call, called.rule, called.precedence, called.state));
    }
    return outermost.call.tree;
  }

  #enter(caller: Call | undefined, rule: RuleName, precedence: number, callState: State | undefined): Running {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    if (depth > maxRuleDepth) throw new ParsingStopped(`expression recursion limit exceeded: ${maxRuleDepth}`);
    this.#depths.set(rule, depth);
    const follow = callState?.edges[0]?.to;
    const stack = caller === undefined || follow === undefined ? new ReturnStack() : caller.stack.push(follow);
    const tree: Tree = { rule, alternative: 0, first: this.#current(), children: [] };
    const call: Call = { rule, caller, follow, stack, precedence, tree };
    return { call, callState, steps: this.#run(call, ruleNamed(rule).steps) };
  }

  /** Runs up to the next call of a rule, or to the end. A syntax error ends it early. */
  #advance({ call, steps }: Running): CallStep | undefined {
    try {
      const { value, done } = steps.next();
      return done === true ? undefined : value;
    } catch (error) {
      if (!(error instanceof SyntaxFailure)) throw error;
      this.#report(error.token, error.message);
      this.#recover(call);
      return undefined;
    }
  }

  #leave({ call, callState }: Running): void {
    if (callState !== undefined) this.#state = callState;
    this.#depths.set(call.rule, (this.#depths.get(call.rule) ?? 1) - 1);
    call.caller?.tree.children.push(call.tree);
  }

  *#run(call: Call, steps: readonly Step[]): Generator<CallStep, void> {
    for (const step of steps) {
      switch (step.kind) {
        case 'match':
          this.#state = step.state;
          this.#match(call, step.tokens);
          break;
        case 'call':
          this.#state = step.state;
          yield step;
          break;
        case 'optional':
          this.#sync(call, step.state);
          if (nextTokens(step.bodyStart).tokens.has(this.#peek())) yield* this.#run(call, step.body);
          break;
        case 'star':
          yield* this.#runStar(call, step);
          break;
        case 'plus':
          yield* this.#runPlus(call, step);
          break;
        case 'choice': {
          this.#sync(call, step.state);
          const alternative = this.#predict(call, step.state, false);
          call.tree = { ...call.tree, alternative };
          yield* this.#run(call, step.alternatives[alternative - 1] ?? []);
          break;
        }
      }
    }
  }

  *#runStar(call: Call, step: Extract<Step, { kind: 'star' }>): Generator<CallStep, void> {
    const isPrecedenceLoop = step.block.edges.some(({ kind }) => kind === 'precedence');
    const entersAgain = (): boolean =>
      step.looksAhead
        ? this.#predict(call, step.entry, isPrecedenceLoop) === 1
        : nextTokens(step.block).tokens.has(this.#peek());
    this.#sync(call, step.entry);
    while (entersAgain()) {
      let alternative = 1;
      if (step.alternatives.length > 1) {
        this.#sync(call, step.block);
        alternative = this.#predict(call, step.block, false);
      }
      // The tree so far is the left operand of an operator.
      if (isPrecedenceLoop) call.tree = { ...call.tree, alternative, children: [call.tree] };
      yield* this.#run(call, step.alternatives[alternative - 1] ?? []);
      this.#sync(call, step.loopBack);
    }
  }

  *#runPlus(call: Call, step: Extract<Step, { kind: 'plus' }>): Generator<CallStep, void> {
    this.#sync(call, step.block);
    let entersAgain: boolean;
    do {
      yield* this.#run(call, step.body);
      this.#sync(call, step.loopBack);
      entersAgain = step.looksAhead
        ? this.#predict(call, step.loopBack, false) === 1
        : nextTokens(step.block).tokens.has(this.#peek());
    } while (entersAgain);
  }

  #predict(call: Call, state: State, isPrecedenceLoop: boolean): number {
    const { precedence, stack } = call;
    const predicted = predict({ state, isPrecedenceLoop, precedence, stack }, this.#tokens, this.#position);
    if (typeof predicted === 'number') return predicted;
    throw new SyntaxFailure(
      this.#tokens[predicted.last] as Token,
      `no viable alternative at input ${this.#input(predicted)}`,
    );
  }

  #input({ first, last }: NoAlternative): string {
    const start = this.#tokens[first] as Token;
    return start.kind === '<EOF>' ? "'<EOF>'" : quoted(this.#text(start, this.#tokens[last] as Token));
  }

  #match(call: Call, expected: ReadonlySet<TokenKind>): void {
    if (!expected.has(this.#peek())) {
      this.#countRecovery();
      if (!this.#deleteToken(call)) {
        if (!this.#insertToken(call)) throw this.#mismatch(call);
        return;
      }
    }
    this.#endRecovery();
    call.tree.children.push(this.#current());
    this.#consume();
  }

  /** The next token matches if this one is deleted. */
  #deleteToken(call: Call): boolean {
    const expected = this.#expectedTokens(call);
    const following = this.#tokens[Math.min(this.#position + 1, this.#tokens.length - 1)] as Token;
    if (!expected.has(following.kind)) return false;
    this.#report(this.#current(), `extraneous input ${this.#shown()} expecting ${listed(expected)}`);
    this.#consume();
    this.#endRecovery();
    return true;
  }

  /** This token matches if one is inserted before it. */
  #insertToken(call: Call): boolean {
    const after = this.#state.edges[0]?.to;
    if (after === undefined || !this.#tokensAfter(call, after).has(this.#peek())) return false;
    const expected = this.#expectedTokens(call);
    const { start } = this.#current();
    this.#report(this.#current(), `missing ${listed(expected)} at ${this.#shown()}`);
    call.tree.children.push({ kind: kindsInOrder.find((kind) => expected.has(kind)) ?? '<EOF>', start, end: start });
    return true;
  }

  #mismatch(call: Call): SyntaxFailure {
    return new SyntaxFailure(
      this.#current(),
      `mismatched input ${this.#shown()} expecting ${listed(this.#expectedTokens(call))}`,
    );
  }

  /** Checks before a decision whether a matching token is next. */
  #sync(call: Call, state: State): void {
    this.#state = state;
    if (this.#isRecovering) return;
    const { tokens, mayEnd } = nextTokens(state);
    if (mayEnd || tokens.has(this.#peek())) return;
    if (state.kind === 'decision') {
      if (!this.#deleteToken(call)) throw this.#mismatch(call);
      return;
    }
    const expected = this.#expectedTokens(call);
    this.#report(this.#current(), `extraneous input ${this.#shown()} expecting ${listed(expected)}`);
    this.#skipTo(new Set([...expected, ...this.#recoveryTokens(call)]), Infinity);
  }

  #recover(call: Call): void {
    this.#countRecovery();
    let skippable = maxSkippedTokens;
    if (this.#lastErrorPosition === this.#position && this.#lastErrorStates.has(this.#state)) {
      this.#consume();
      skippable--;
    }
    this.#lastErrorPosition = this.#position;
    this.#lastErrorStates.add(this.#state);
    this.#skipTo(this.#recoveryTokens(call), skippable);
  }

  #skipTo(tokens: ReadonlySet<TokenKind>, skippable: number): void {
    let left = skippable;
    while (this.#peek() !== '<EOF>' && !tokens.has(this.#peek())) {
      if (left-- <= 0) throw new ParsingStopped(`error recovery token lookahead limit exceeded: ${maxSkippedTokens}`);
      this.#consume();
    }
  }

  #countRecovery(): void {
    if (this.#recoveries++ < maxRecoveries) return;
    this.#syntaxError(this.#current(), `error recovery attempt limit exceeded: ${maxRecoveries}`);
    throw new ParsingStopped();
  }

  #endRecovery(): void {
    this.#isRecovering = false;
    this.#lastErrorPosition = -1;
    this.#lastErrorStates = new Set();
  }

  #report(token: Token, message: string): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.#syntaxError(token, message);
  }

  /** Tokens that may follow the rule or one of its callers. */
  #recoveryTokens(call: Call): ReadonlySet<TokenKind> {
    const tokens = new Set<TokenKind>();
    for (let current: Call | undefined = call; current?.follow !== undefined; current = current.caller) {
      for (const kind of nextTokens(current.follow).tokens) tokens.add(kind);
    }
    return tokens;
  }

  #expectedTokens(call: Call): ReadonlySet<TokenKind> {
    return this.#tokensAfter(call, this.#state);
  }

  /** The possible tokens after a state, also past the ends of rules that may end there. */
  #tokensAfter(call: Call, state: State): ReadonlySet<TokenKind> {
    let { tokens, mayEnd } = nextTokens(state);
    for (let current: Call | undefined = call; mayEnd && current?.follow !== undefined; current = current.caller) {
      const next = nextTokens(current.follow);
      tokens = tokens.union(next.tokens);
      mayEnd = next.mayEnd;
    }
    return mayEnd ? tokens.union(endOnly) : tokens;
  }

  #current(): Token {
    return this.#tokens[this.#position] as Token;
  }

  #peek(): TokenKind {
    return this.#current().kind;
  }

  #consume(): void {
    if (this.#peek() !== '<EOF>') this.#position++;
  }

  #shown(): string {
    const token = this.#current();
    return token.kind === '<EOF>' ? "'<EOF>'" : quoted(this.#text(token, token));
  }
}

const endOnly: ReadonlySet<TokenKind> = new Set(['<EOF>']);

function quoted(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

/** Tokens with a fixed text are printed as that text. */
function listed(tokens: ReadonlySet<TokenKind>): string {
  const ordered = kindsInOrder
    .filter((kind) => tokens.has(kind))
    .map((kind) => (/^[A-Z_]+$|^<EOF>$/.test(kind) ? kind : `'${kind}'`));
  return ordered.length === 1 ? (ordered[0] as string) : `{${ordered.join(', ')}}`;
}

const kindsInOrder: readonly TokenKind[] = ['<EOF>', ...tokenKinds.filter((kind) => kind !== '<EOF>')];
