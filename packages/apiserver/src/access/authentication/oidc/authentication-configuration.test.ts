import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAuthenticationConfiguration } from './authentication-configuration.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const found = 'url: "https://a.example", audiences: [x]';
const named = 'claimMappings: {username: {expression: claims.sub}}';

function jwt(issuer: string, rest = named): string {
  return `${head}jwt: [{issuer: {${issuer}}, ${rest}}]\n`;
}

function errorOf(content: string): string {
  try {
    readAuthenticationConfiguration(content);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const anEmail = 'claimMappings: {username: {expression: "claims.?email.orValue(\'\')"}}';
const unverified =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

/** The sentences with which kube-apiserver v1.36.4 refuses to start. */
const refusals: readonly [content: string, ...errors: string[]][] = [
  [head],
  [jwt('audiences: [x]'), 'jwt[0].issuer.url: Required value'],
  [
    jwt('url: "http://a.example", audiences: [x]'),
    'jwt[0].issuer.url: Invalid value: "http://a.example": URL scheme must be https',
  ],
  [
    jwt('url: "https://u:p@a.example/?q=1#f", audiences: [x]'),
    ...['a username or password', 'a query', 'a fragment'].map(
      (part) => `jwt[0].issuer.url: Invalid value: "https://u:p@a.example/?q=1#f": URL must not contain ${part}`,
    ),
  ],
  [
    jwt('url: "https://a.example/%zz", audiences: [x]'),
    'jwt[0].issuer.url: Invalid value: "https://a.example/%zz": parse "https://a.example/%zz": invalid URL escape "%zz"',
  ],
  [
    jwt('url: "https://a.example"'),
    'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required',
  ],
  [
    jwt('url: "https://a.example", audiences: [x, x, ""]'),
    'jwt[0].issuer.audiences[1]: Duplicate value: "x"',
    'jwt[0].issuer.audiences[2]: Required value',
    'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
  ],
  [
    jwt(`${found}, audienceMatchPolicy: All`),
    'jwt[0].issuer.audienceMatchPolicy: Invalid value: "All": audienceMatchPolicy must be empty or MatchAny for single audience',
  ],
  [
    jwt(`${found}, discoveryURL: "https://a.example/"`),
    'jwt[0].issuer.discoveryURL: Invalid value: "https://a.example/": discoveryURL must be different from URL',
  ],
  [
    jwt(`${found}, certificateAuthority: nope`),
    'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
  ],
  [jwt(found, 'claimMappings: {}'), 'jwt[0].claimMappings.username: Required value: claim or expression is required'],
  [
    jwt(found, 'claimMappings: {username: {claim: sub}}'),
    'jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing',
  ],
  [
    jwt(found, 'claimMappings: {username: {claim: sub, expression: claims.sub}}'),
    'jwt[0].claimMappings.username: Invalid value: "": claim and expression can\'t both be set',
  ],
  [
    jwt(found, 'claimMappings: {username: {prefix: "", expression: claims.sub}}'),
    'jwt[0].claimMappings.username.prefix: Invalid value: "": may not be specified when expression is set',
  ],
  [
    jwt(found, anEmail),
    `jwt[0].claimMappings.username.expression: Invalid value: "claims.?email.orValue('')": ${unverified}`,
  ],
  [jwt(found, `${anEmail}, claimValidationRules: [{expression: "claims.?email_verified.orValue(true) == true"}]`)],
  [
    jwt(found, 'claimMappings: {username: {expression: "user.username"}}'),
    `jwt[0].claimMappings.username.expression: Invalid value: "user.username": compilation failed: ERROR: <input>:1:1: undeclared reference to 'user' (in container '')\n | user.username\n | ^`,
  ],
  [
    jwt(
      found,
      `${named.slice(0, -1)}, extra: [{key: foo, valueExpression: claims.a}, {key: "kubernetes.io/x", valueExpression: claims.a}, {key: e.org/y}, {key: e.org/y, valueExpression: claims.b}]}`,
    ),
    'jwt[0].claimMappings.extra[0].key: Invalid value: "foo": must be a domain-prefixed path (such as "acme.io/foo")',
    'jwt[0].claimMappings.extra[1].key: Invalid value: "kubernetes.io/x": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
    'jwt[0].claimMappings.extra[2].valueExpression: Required value',
    'jwt[0].claimMappings.extra[3].key: Duplicate value: "e.org/y"',
  ],
  [
    jwt(
      found,
      `${named}, claimValidationRules: [{}, {claim: a, expression: "true"}, {claim: a, message: m}, {claim: a}, {expression: claims.b}, {expression: "true", requiredValue: x}, {expression: "true"}]`,
    ),
    'jwt[0].claimValidationRules[0]: Required value: claim or expression is required',
    'jwt[0].claimValidationRules[1]: Invalid value: "a": claim and expression can\'t both be set',
    'jwt[0].claimValidationRules[2].message: Invalid value: "m": may not be specified when claim is set',
    'jwt[0].claimValidationRules[3].claim: Duplicate value: "a"',
    'jwt[0].claimValidationRules[4].expression: Invalid value: "claims.b": must evaluate to bool',
    'jwt[0].claimValidationRules[5].requiredValue: Invalid value: "x": may not be specified when expression is set',
    'jwt[0].claimValidationRules[6].expression: Duplicate value: "true"',
  ],
  [
    jwt(
      found,
      `${named}, userValidationRules: [{}, {expression: user.username}, {expression: "true"}, {expression: "true"}]`,
    ),
    'jwt[0].userValidationRules[0].expression: Required value',
    'jwt[0].userValidationRules[1].expression: Invalid value: "user.username": must evaluate to bool',
    'jwt[0].userValidationRules[3].expression: Duplicate value: "true"',
  ],
  [
    `${head}anonymous: {enabled: false, conditions: [{path: /livez}]}`,
    'anonymous.conditions: Invalid value: [{"Path":"/livez"}]: enabled should be set to true when conditions are defined',
  ],
  [`${head}jwt: []\nfoo: 1`, 'strict decoding error: unknown field "foo"'],
];

describe('an authentication configuration', () => {
  for (const [content, ...errors] of refusals) {
    test(errors.length === 0 ? `is valid: ${content.slice(head.length)}` : `is refused: ${errors[0]}`, () => {
      assert.equal(errorOf(content), errors.length > 1 ? `[${errors.join(', ')}]` : (errors[0] ?? ''));
    });
  }
});
