import { fieldErrorText } from '../validation/field-error.ts';
import { LabelSelector } from './label-selector.ts';
import { keyErrors, newRequirement, SelectorError, type Requirement, type RequirementOperator } from './requirement.ts';

const operatorByToken: Partial<Record<TokenKind, RequirementOperator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};

/** Parses `tier=web,env in (test,prod),!legacy`. Throws a SelectorError. */
export function parseLabelSelector(text: string): LabelSelector {
  return text === '' ? LabelSelector.everything : new LabelSelector(new SelectorParser(text).parse());
}

class SelectorParser {
  readonly #tokens: Iterator<Token, never>;
  #next: Token;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
    this.#next = this.#tokens.next().value;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#isAt('end')) return requirements;
    if (!this.#startsRequirement()) throw this.#unexpected(", expected: !, identifier, or 'end of string'");
    for (;;) {
      requirements.push(this.#requirement());
      if (this.#isAt('end')) return requirements;
      if (!this.#isAt(',')) throw this.#unexpected(", expected: ',' or 'end of string'");
      this.#take();
      if (!this.#startsRequirement()) throw this.#unexpected(", expected: identifier after ','");
    }
  }

  #requirement(): Requirement {
    try {
      return this.#parseRequirement();
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw new SelectorError(`unable to parse requirement: ${error.message}`);
    }
  }

  #parseRequirement(): Requirement {
    const isNegated = this.#isAt('!');
    if (isNegated) this.#take();
    if (!this.#isAtWord()) throw this.#unexpected(', expected: identifier');
    const key = this.#take().text;
    const [wrong] = keyErrors('<nil>', key);
    if (wrong !== undefined) throw new SelectorError(fieldErrorText(wrong));
    if (isNegated) return newRequirement(key, '!', []);
    if (this.#isAtEndOfRequirement()) return newRequirement(key, 'exists', []);
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#list() : this.#exactValue();
    return newRequirement(key, operator, values);
  }

  #operator(): RequirementOperator {
    const operator = operatorByToken[this.#next.kind];
    if (operator === undefined) throw this.#unexpected(', expected: in, notin, =, ==, !=, gt, lt');
    this.#take();
    return operator;
  }

  #exactValue(): string[] {
    if (this.#isAtEndOfRequirement()) return [''];
    if (!this.#isAtWord()) throw this.#unexpected(', expected: identifier');
    return [this.#take().text];
  }

  /** `(a,b)`. A missing word is the empty value. */
  #list(): string[] {
    if (!this.#isAt('(')) throw this.#unexpected(" expected: '('");
    this.#take();
    if (!this.#isAtWord() && !this.#isAt(',') && !this.#isAt(')')) {
      throw this.#unexpected(", expected: ',', ')' or identifier");
    }
    const values: string[] = [];
    for (;;) {
      values.push(this.#isAtWord() ? this.#take().text : '');
      if (this.#isAt(')')) break;
      if (!this.#isAt(',')) throw this.#unexpectedInList(values);
      this.#take();
    }
    this.#take();
    return [...new Set(values)];
  }

  /** After a word a comma must follow. After a comma a word may follow. */
  #unexpectedInList(values: readonly string[]): SelectorError {
    return this.#unexpected(values.at(-1) === '' ? ", expected: ',', or identifier" : ", expected: ',' or ')'");
  }

  #startsRequirement(): boolean {
    return this.#isAtWord() || this.#isAt('!');
  }

  /** `in` and `notin` are ordinary words where no operator may be. */
  #isAtWord(): boolean {
    return this.#isAt('identifier') || this.#isAt('in') || this.#isAt('notin');
  }

  #isAtEndOfRequirement(): boolean {
    return this.#isAt('end') || this.#isAt(',');
  }

  #isAt(kind: TokenKind): boolean {
    return this.#next.kind === kind;
  }

  #take(): Token {
    const token = this.#next;
    this.#next = this.#tokens.next().value;
    return token;
  }

  #unexpected(expectation: string): SelectorError {
    return new SelectorError(`found '${this.#next.text}'${expectation}`);
  }
}

type TokenKind = 'end' | 'identifier' | 'in' | 'notin' | '=' | '==' | '!=' | '!' | '>' | '<' | '(' | ')' | ',';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const endToken: Token = { kind: 'end', text: '' };

// A null character ends the text, as in Go.
const wordPattern = /[^ \t\r\n=!(),><\0]+/y;
const symbolPattern = /==|!=|[=!(),><]/y;

function* tokensOf(selector: string): Generator<Token, never> {
  let at = 0;
  while (at < selector.length) {
    if (' \t\r\n'.includes(selector.charAt(at))) {
      at++;
      continue;
    }
    const token = readAt(symbolPattern, selector, at) ?? readAt(wordPattern, selector, at);
    if (token === undefined) break;
    at += token.length;
    yield { kind: kindOf(token), text: token };
  }
  // The parser may read past the end.
  for (;;) yield endToken;
}

function readAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function kindOf(token: string): TokenKind {
  switch (token) {
    case 'in':
    case 'notin':
    case '=':
    case '==':
    case '!=':
    case '!':
    case '>':
    case '<':
    case '(':
    case ')':
    case ',':
      return token;
    default:
      return 'identifier';
  }
}
