/** The grammar of CEL in cel-go's rules. Its division into rules determines the error messages. */
import type { TokenKind } from '../token.ts';

export type RuleName = keyof typeof grammar;

export type Element =
  | { readonly kind: 'token'; readonly tokens: readonly TokenKind[] }
  | { readonly kind: 'rule'; readonly rule: RuleName; readonly precedence: number }
  | { readonly kind: 'optional'; readonly body: readonly Element[] }
  /** With `looksAhead`, one token does not decide whether another turn follows. */
  | { readonly kind: 'star'; readonly alternatives: readonly Alternative[]; readonly looksAhead: boolean }
  | { readonly kind: 'plus'; readonly body: readonly Element[]; readonly looksAhead: boolean }
  | { readonly kind: 'choice'; readonly alternatives: readonly Alternative[] };

/** In a loop over operators, an alternative applies only if its operator binds tightly enough. */
export interface Alternative {
  readonly elements: readonly Element[];
  readonly precedence?: number;
}

const relation: readonly Element[] = [
  rule('calc'),
  {
    kind: 'star',
    looksAhead: true,
    alternatives: [operator(1, token('==', '!=', 'in', '<', '<=', '>=', '>'), rule('relation', 2))],
  },
];

const calc: readonly Element[] = [
  rule('unary'),
  {
    kind: 'star',
    looksAhead: true,
    alternatives: [operator(2, token('*', '/', '%'), rule('calc', 3)), operator(1, token('-', '+'), rule('calc', 2))],
  },
];

const unary: readonly Element[] = [
  choice(
    [rule('member')],
    [{ kind: 'plus', body: [token('!')], looksAhead: false }, rule('member')],
    [{ kind: 'plus', body: [token('-')], looksAhead: true }, rule('member')],
  ),
];

const member: readonly Element[] = [
  rule('primary'),
  {
    kind: 'star',
    looksAhead: true,
    alternatives: [
      operator(3, token('.'), optional(token('?')), rule('escapeIdent')),
      operator(2, token('.'), token('IDENTIFIER'), token('('), optional(rule('exprList')), token(')')),
      operator(1, token('['), optional(token('?')), rule('expr'), token(']')),
    ],
  },
];

const primary: readonly Element[] = [
  choice(
    [optional(token('.')), token('IDENTIFIER')],
    [optional(token('.')), token('IDENTIFIER'), token('('), optional(rule('exprList')), token(')')],
    [token('('), rule('expr'), token(')')],
    [token('['), optional(rule('listInit')), optional(token(',')), token(']')],
    [token('{'), optional(rule('mapInitializerList')), optional(token(',')), token('}')],
    [
      optional(token('.')),
      token('IDENTIFIER'),
      repeated(false, token('.'), token('IDENTIFIER')),
      token('{'),
      optional(rule('fieldInitializerList')),
      optional(token(',')),
      token('}'),
    ],
    [rule('literal')],
  ),
];

const literal: readonly Element[] = [
  choice(
    [optional(token('-')), token('NUM_INT')],
    [token('NUM_UINT')],
    [optional(token('-')), token('NUM_FLOAT')],
    [token('STRING')],
    [token('BYTES')],
    [token('true')],
    [token('false')],
    [token('null')],
  ),
];

export const grammar = {
  start: [rule('expr'), token('<EOF>')],
  expr: [rule('conditionalOr'), optional(token('?'), rule('conditionalOr'), token(':'), rule('expr'))],
  conditionalOr: [rule('conditionalAnd'), repeated(false, token('||'), rule('conditionalAnd'))],
  conditionalAnd: [rule('relation'), repeated(false, token('&&'), rule('relation'))],
  relation,
  calc,
  unary,
  member,
  primary,
  exprList: [rule('expr'), repeated(false, token(','), rule('expr'))],
  listInit: [rule('optExpr'), repeated(true, token(','), rule('optExpr'))],
  fieldInitializerList: [
    rule('optField'),
    token(':'),
    rule('expr'),
    repeated(true, token(','), rule('optField'), token(':'), rule('expr')),
  ],
  optField: [optional(token('?')), rule('escapeIdent')],
  mapInitializerList: [
    rule('optExpr'),
    token(':'),
    rule('expr'),
    repeated(true, token(','), rule('optExpr'), token(':'), rule('expr')),
  ],
  escapeIdent: [choice([token('IDENTIFIER')], [token('ESC_IDENTIFIER')])],
  optExpr: [optional(token('?')), rule('expr')],
  literal,
} as const satisfies Record<string, readonly Element[]>;

function token(...tokens: TokenKind[]): Element {
  return { kind: 'token', tokens };
}

function rule(name: string, precedence = 0): Element {
  return { kind: 'rule', rule: name as RuleName, precedence };
}

function optional(...body: Element[]): Element {
  return { kind: 'optional', body };
}

function repeated(looksAhead: boolean, ...elements: Element[]): Element {
  return { kind: 'star', looksAhead, alternatives: [{ elements }] };
}

function choice(...alternatives: Element[][]): Element {
  return { kind: 'choice', alternatives: alternatives.map((elements) => ({ elements })) };
}

function operator(precedence: number, ...elements: Element[]): Alternative {
  return { precedence, elements };
}
