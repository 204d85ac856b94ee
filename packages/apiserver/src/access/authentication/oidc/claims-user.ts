/** The user that the claims of a verified token describe. */
import type { CelValue, Program } from '@flotilla/cel';
import { isJsonObject, textOf, type JsonObject, type JsonValue, type User } from '@flotilla/kube';
import { authenticatedUser, credentialIdKey } from '../authenticated-user.ts';
import type { JwtAuthenticator } from './authentication-configuration.ts';
import { compileExpression, evaluate, textsOf, type ClaimVariable } from './claim-expressions.ts';
import { claimValue, userValue } from './claim-values.ts';

/** The sentence of a refused token. */
class Refusal extends Error {}

/** Compiled once for each configuration. Returns the user, or why there is none. */
export type UserOfClaims = (claims: JsonObject) => User | string;

export function userOfClaims({
  claimMappings,
  claimValidationRules,
  userValidationRules,
}: JwtAuthenticator): UserOfClaims {
  const { username, groups, uid, extra } = claimMappings;
  const usernameOf = username.expression === '' ? undefined : mapping(username.expression);
  const groupsOf = groups.expression === '' ? undefined : mapping(groups.expression);
  const uidOf = uid.expression === '' ? undefined : mapping(uid.expression);
  const extras = extra.map(({ key, valueExpression }) => ({ key, valueExpression, valueOf: mapping(valueExpression) }));
  const claimRules = rules('claims', claimValidationRules, 'claim validation expression');
  const userRules = rules('user', userValidationRules, 'user info validation rule');
  const required = claimValidationRules.filter(({ claim }) => claim !== '');

  return (claims) => {
    try {
      const values = claimValue(claims);
      const name = usernameOf ? expressedName(usernameOf, values) : claimedName(claims, username);
      const user: User = {
        name,
        uid: uidOf ? expressedText(uidOf, values, 'uid') : claimedUid(claims, uid.claim),
        groups: groupsOf ? expressedTexts(groupsOf, values, 'group') : claimedGroups(claims, groups),
        extra: extraOf(claims, values, extras),
      };
      for (const { claim, requiredValue } of required) checkRequired(claims, claim, requiredValue);
      claimRules(values);
      userRules(userRules.isEmpty ? null : userValue(user));
      return authenticatedUser(withoutEmpty(user));
    } catch (error) {
      if (error instanceof Refusal) return `oidc: ${error.message}`;
      throw error;
    }
  };
}

function withoutEmpty({ name, uid = '', groups, extra = {} }: User): User {
  return { name, ...(uid !== '' && { uid }), groups, ...(Object.keys(extra).length > 0 && { extra }) };
}

/** Validation has compiled it already. */
function compiled(variable: ClaimVariable, expression: string, isRule: boolean): Program {
  const result = compileExpression(variable, expression, isRule);
  if ('fault' in result) throw new Error(result.fault);
  return result.program;
}

type Mapping = (claims: CelValue, what: string) => CelValue;

function mapping(expression: string): Mapping {
  const ready = compiled('claims', expression, false);
  return (claims, what) => {
    const result = evaluate(ready, 'claims', claims);
    if ('value' in result) return result.value;
    throw new Refusal(
      `error evaluating ${what} claim expression: expression '${expression}' resulted in error: ${result.fault}`,
    );
  };
}

interface Rule {
  readonly expression: string;
  readonly message: string;
}

function rules(variable: ClaimVariable, given: readonly Rule[], what: string) {
  const ready = given
    .filter(({ expression }) => expression !== '')
    .map((rule) => ({ ...rule, program: compiled(variable, rule.expression, true) }));
  const check = (value: CelValue): void => {
    for (const { expression, message, program } of ready) {
      const result = evaluate(program, variable, value);
      if ('fault' in result) {
        throw new Refusal(`error evaluating ${what}: expression '${expression}' resulted in error: ${result.fault}`);
      }
      if (result.value !== true) {
        throw new Refusal(`error evaluating ${what}: validation expression '${expression}' failed: ${message}`);
      }
    }
  };
  return Object.assign(check, { isEmpty: ready.length === 0 });
}

function expressedText(valueOf: Mapping, claims: CelValue, what: string): string {
  const value = valueOf(claims, what);
  if (typeof value === 'string') return value;
  throw new Refusal(`error evaluating ${what} claim expression: ${what} claim expression must return a string`);
}

function expressedName(valueOf: Mapping, claims: CelValue): string {
  const name = expressedText(valueOf, claims, 'username');
  if (name === '') throw new Refusal('empty username via CEL expression is not allowed');
  return name;
}

function expressedTexts(valueOf: Mapping, claims: CelValue, what: string): string[] {
  const result = textsOf(valueOf(claims, what));
  if ('texts' in result) return result.texts;
  throw new Refusal(`error evaluating ${what} claim expression: ${result.fault}`);
}

function claimedName(
  claims: JsonObject,
  { claim, prefix = '' }: JwtAuthenticator['claimMappings']['username'],
): string {
  const value = claimOf(claims, claim);
  if (value === undefined) throw new Refusal(`parse username claims "${claim}": claim not present`);
  if (typeof value !== 'string') throw new Refusal(`parse username claims "${claim}": ${notText(value)}`);
  if (claim === 'email') checkEmail(claimOf(claims, 'email_verified'));
  return `${prefix}${value}`;
}

function checkEmail(isVerified: JsonValue | undefined): void {
  if (isVerified === undefined || isVerified === true) return;
  if (isVerified === false || isVerified === null) throw new Refusal('email not verified');
  throw new Refusal(
    `parse 'email_verified' claim: json: cannot unmarshal ${goKindOf(isVerified)} into Go value of type bool`,
  );
}

function claimedUid(claims: JsonObject, claim: string): string {
  if (claim === '') return '';
  const value = claimOf(claims, claim);
  if (value === undefined) throw new Refusal(`parse uid claim "${claim}": claim not present`);
  if (typeof value !== 'string') throw new Refusal(`parse uid claim "${claim}": ${notText(value)}`);
  return value;
}

/** One group, or a list of them. */
function claimedGroups(
  claims: JsonObject,
  { claim, prefix = '' }: JwtAuthenticator['claimMappings']['groups'],
): string[] {
  const value = claim === '' ? undefined : claimOf(claims, claim);
  if (value === undefined || value === null) return [];
  const groups = Array.isArray(value) ? value : [value];
  const other = groups.find((group) => typeof group !== 'string');
  if (other !== undefined)
    throw new Refusal(`parse groups claim "${claim}": ${notText(Array.isArray(value) ? value : other)}`);
  return groups.map((group) => `${prefix}${group as string}`);
}

interface Extra {
  readonly key: string;
  readonly valueExpression: string;
  readonly valueOf: Mapping;
}

function extraOf(claims: JsonObject, values: CelValue, extras: readonly Extra[]): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {};
  const id = textOf(claimOf(claims, 'jti'));
  if (id !== '') extra[credentialIdKey] = [`JTI=${id}`];
  for (const { key, valueExpression, valueOf } of extras) {
    const result = textsOf(valueOf(values, 'extra'));
    if ('fault' in result) {
      throw new Refusal(`error evaluating extra claim expression: ${valueExpression}: ${result.fault}`);
    }
    if (result.texts.length > 0) extra[key] = result.texts;
  }
  return extra;
}

function checkRequired(claims: JsonObject, claim: string, requiredValue: string): void {
  const value = claimOf(claims, claim);
  if (value === undefined) throw new Refusal(`required claim ${claim} not present in ID token`);
  if (typeof value !== 'string') throw new Refusal(`parse claim ${claim}: ${notText(value)}`);
  if (value !== requiredValue) {
    throw new Refusal(`required claim ${claim} value does not match. Got = ${value}, want = ${requiredValue}`);
  }
}

/** A claim named like a property of every object is absent like any other. */
function claimOf(claims: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function notText(value: JsonValue): string {
  return `json: cannot unmarshal ${goKindOf(value)} into Go value of type string`;
}

function goKindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'number';
}
