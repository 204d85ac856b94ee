/** Parses on through mistakes, as ANTLR does, to find and word them all. No tree is made. */
import type { Token, TokenKind } from '../token.ts';
import { tokenKinds } from '../token.ts';
import type { RuleName } from './grammar.ts';
import { nextTokens, ruleNamed, type State, type Step } from './network.ts';
import { predict, ReturnStack, type NoAlternative } from './prediction.ts';

/** What is told of on the way. */
export interface Listener {
  readonly syntaxError: (token: Token, message: string) => void;
  /** A token that fits the grammar, with where the innermost rule began. */
  readonly matched: (rule: RuleName, alternative: number, ruleStart: Token, token: Token) => void;
}

/** Ends everything; the message is about the whole. */
export class ParsingStopped {
  readonly message: string | undefined;

  constructor(message?: string) {
    this.message = message;
  }
}

const MAX_RULE_DEPTH = 250;
const MAX_RECOVERIES = 30;
const MAX_SKIPPED_TOKENS = 256;

/** A rule that has been entered. */
interface Call {
  readonly rule: RuleName;
  readonly caller: Call | undefined;
  /** Where it goes on after this one; undefined for the outermost. */
  readonly follow: State | undefined;
  readonly stack: ReturnStack;
  readonly precedence: number;
  readonly first: Token;
  alternative: number;
}

/** Ends the rule in which it happens. */
class Mistake {
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
  readonly #listener: Listener;
  readonly #depths = new Map<RuleName, number>();
  #position = 0;
  #state: State = ruleNamed('start').start;
  /** From a mistake to the next token that fits, nothing is reported. */
  #isRecovering = false;
  #lastMistakePosition = -1;
  #lastMistakeStates = new Set<State>();
  #recoveries = 0;

  constructor(tokens: readonly Token[], text: (first: Token, last: Token) => string, listener: Listener) {
    this.#tokens = tokens;
    this.#text = text;
    this.#listener = listener;
  }

  parse(): void {
    this.#call(undefined, 'start', 0, undefined);
  }

  #call(caller: Call | undefined, rule: RuleName, precedence: number, callState: State | undefined): void {
    const depth = (this.#depths.get(rule) ?? 0) + 1;
    if (depth > MAX_RULE_DEPTH) throw new ParsingStopped(`expression recursion limit exceeded: ${MAX_RULE_DEPTH}`);
    this.#depths.set(rule, depth);
    const edge = callState?.edges[0];
    const follow = edge?.to;
    const stack = caller === undefined || follow === undefined ? new ReturnStack() : caller.stack.push(follow);
    const call: Call = { rule, caller, follow, stack, precedence, first: this.#current(), alternative: 1 };
    try {
      this.#run(call, ruleNamed(rule).steps);
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      this.#report(error.token, error.message);
      this.#recover(call);
    }
    if (callState !== undefined) this.#state = callState;
    this.#depths.set(rule, depth - 1);
  }

  #run(call: Call, steps: readonly Step[]): void {
    for (const step of steps) this.#runStep(call, step);
  }

  #runStep(call: Call, step: Step): void {
    switch (step.kind) {
      case 'match':
        this.#state = step.state;
        this.#match(call, step.tokens);
        break;
      case 'call':
        this.#state = step.state;
        this.#call(call, step.rule, step.precedence, step.state);
        break;
      case 'optional':
        this.#sync(call, step.state);
        if (nextTokens(step.bodyStart).tokens.has(this.#peek())) this.#run(call, step.body);
        break;
      case 'star':
        this.#runStar(call, step);
        break;
      case 'plus':
        this.#runPlus(call, step);
        break;
      case 'choice': {
        this.#sync(call, step.state);
        const alternative = this.#predict(call, step.state, false);
        call.alternative = alternative;
        this.#run(call, step.alternatives[alternative - 1] ?? []);
        break;
      }
    }
  }

  #runStar(call: Call, step: Extract<Step, { kind: 'star' }>): void {
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
      this.#run(call, step.alternatives[alternative - 1] ?? []);
      this.#sync(call, step.loopBack);
    }
  }

  #runPlus(call: Call, step: Extract<Step, { kind: 'plus' }>): void {
    this.#sync(call, step.block);
    let entersAgain: boolean;
    do {
      this.#run(call, step.body);
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
    throw new Mistake(
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
    this.#listener.matched(call.rule, call.alternative, call.first, this.#current());
    this.#consume();
  }

  /** The next token fits when this one is left out. */
  #deleteToken(call: Call): boolean {
    const expected = this.#expectedTokens(call);
    const following = this.#tokens[Math.min(this.#position + 1, this.#tokens.length - 1)] as Token;
    if (!expected.has(following.kind)) return false;
    this.#report(this.#current(), `extraneous input ${this.#shown()} expecting ${listed(expected)}`);
    this.#consume();
    this.#endRecovery();
    return true;
  }

  /** This token would fit if one stood before it. */
  #insertToken(call: Call): boolean {
    const after = this.#state.edges[0]?.to;
    if (after === undefined || !this.#tokensAfter(call, after).has(this.#peek())) return false;
    this.#report(this.#current(), `missing ${listed(this.#expectedTokens(call))} at ${this.#shown()}`);
    return true;
  }

  #mismatch(call: Call): Mistake {
    return new Mistake(
      this.#current(),
      `mismatched input ${this.#shown()} expecting ${listed(this.#expectedTokens(call))}`,
    );
  }

  /** Before a decision: whether anything that fits comes next. */
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
    let skippable = MAX_SKIPPED_TOKENS;
    if (this.#lastMistakePosition === this.#position && this.#lastMistakeStates.has(this.#state)) {
      this.#consume();
      skippable--;
    }
    this.#lastMistakePosition = this.#position;
    this.#lastMistakeStates.add(this.#state);
    this.#skipTo(this.#recoveryTokens(call), skippable);
  }

  #skipTo(tokens: ReadonlySet<TokenKind>, skippable: number): void {
    let left = skippable;
    while (this.#peek() !== '<EOF>' && !tokens.has(this.#peek())) {
      if (left-- <= 0) throw new ParsingStopped(`error recovery token lookahead limit exceeded: ${MAX_SKIPPED_TOKENS}`);
      this.#consume();
    }
  }

  #countRecovery(): void {
    if (this.#recoveries++ < MAX_RECOVERIES) return;
    this.#listener.syntaxError(this.#current(), `error recovery attempt limit exceeded: ${MAX_RECOVERIES}`);
    throw new ParsingStopped();
  }

  #endRecovery(): void {
    this.#isRecovering = false;
    this.#lastMistakePosition = -1;
    this.#lastMistakeStates = new Set();
  }

  #report(token: Token, message: string): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.#listener.syntaxError(token, message);
  }

  /** What may follow the rule, or any around it. */
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

  /** From a state on, through the ends of as many rules as may end there. */
  #tokensAfter(call: Call, state: State): ReadonlySet<TokenKind> {
    let { tokens, mayEnd } = nextTokens(state);
    for (let current: Call | undefined = call; mayEnd && current?.follow !== undefined; current = current.caller) {
      const next = nextTokens(current.follow);
      tokens = tokens.union(next.tokens);
      mayEnd = next.mayEnd;
    }
    return mayEnd ? tokens.union(END) : tokens;
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

const END: ReadonlySet<TokenKind> = new Set(['<EOF>']);

function quoted(text: string): string {
  return `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

/** Kinds that are always written alike are shown as they are written. */
function listed(tokens: ReadonlySet<TokenKind>): string {
  const ordered = ORDER.filter((kind) => tokens.has(kind)).map((kind) =>
    /^[A-Z_]+$|^<EOF>$/.test(kind) ? kind : `'${kind}'`,
  );
  return ordered.length === 1 ? (ordered[0] as string) : `{${ordered.join(', ')}}`;
}

const ORDER: readonly TokenKind[] = ['<EOF>', ...tokenKinds.filter((kind) => kind !== '<EOF>')];
