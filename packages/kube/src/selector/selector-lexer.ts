/** The words of a label selector. */

export type TokenKind = 'end' | 'identifier' | 'in' | 'notin' | '=' | '==' | '!=' | '!' | '>' | '<' | '(' | ')' | ',';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const endToken: Token = { kind: 'end', text: '' };

// A null character ends the text, as it does in Go.
const wordPattern = /[^ \t\r\n=!(),><\0]+/y;
const symbolPattern = /==|!=|[=!(),><]/y;

export function* tokensOf(selector: string): Generator<Token, never> {
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
  // Whoever asks for more after the end is told again that it was the end.
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
