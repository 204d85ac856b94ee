/** The rules of an AuthenticationConfiguration, with Kubernetes' sentences. */
import {
  duplicate,
  goUrlError,
  invalid,
  required,
  tooMany,
  validateDomainPrefixedPath,
  trimRight,
  type FieldError,
} from '@flotilla/kube';
import { certificatesOf } from '../client-certificates.ts';
import type { AuthenticationConfiguration, JwtAuthenticator } from './authentication-configuration.ts';
import { compileExpression, usesClaim } from './claim-expressions.ts';

const maxAuthenticators = 64;

export function configurationErrors(
  { jwt, anonymous }: AuthenticationConfiguration,
  ownIssuers: readonly string[],
): FieldError[] {
  if (jwt.length > maxAuthenticators) return [tooMany('jwt', jwt.length, maxAuthenticators)];
  const errors = jwt.flatMap((each, at) => authenticatorErrors(each, `jwt[${at}]`, ownIssuers));
  const urls = jwt.map(({ issuer }) => issuer.url);
  const discoveryUrls = jwt.map(({ issuer }) => issuer.discoveryURL);
  for (const at of jwt.keys()) {
    if (urls.indexOf(urls[at] ?? '') < at) errors.push(duplicate(`jwt[${at}].issuer.url`, urls[at]));
    const discovery = discoveryUrls[at] ?? '';
    if (discovery !== '' && discoveryUrls.indexOf(discovery) < at) {
      errors.push(duplicate(`jwt[${at}].issuer.discoveryURL`, discovery));
    }
  }
  if (anonymous && !anonymous.enabled && anonymous.conditions.length > 0) {
    const why = 'enabled should be set to true when conditions are defined';
    // Kubernetes prints its internal type.
    const conditions = anonymous.conditions.map(({ path }) => ({ Path: path }));
    errors.push(invalid('anonymous.conditions', conditions, why));
  }
  return errors;
}

function authenticatorErrors(each: JwtAuthenticator, field: string, ownIssuers: readonly string[]): FieldError[] {
  return [
    ...issuerErrors(each.issuer, `${field}.issuer`, ownIssuers),
    ...each.claimValidationRules.flatMap((rule, at) =>
      claimRuleErrors(each, rule, at, `${field}.claimValidationRules`),
    ),
    ...mappingErrors(each, `${field}.claimMappings`),
    ...each.userValidationRules.flatMap((rule, at) => userRuleErrors(each, rule, at, `${field}.userValidationRules`)),
  ];
}

function issuerErrors(issuer: JwtAuthenticator['issuer'], field: string, ownIssuers: readonly string[]): FieldError[] {
  const {
    url,
    discoveryURL,
    audiences,
    audienceMatchPolicy: policy,
    certificateAuthority,
    egressSelectorType,
  } = issuer;
  const errors = url === '' ? [required(`${field}.url`)] : urlErrors(url, `${field}.url`, ownIssuers);
  if (discoveryURL !== '') {
    if (url !== '' && trimRight(url, '/') === trimRight(discoveryURL, '/')) {
      errors.push(invalid(`${field}.discoveryURL`, discoveryURL, 'discoveryURL must be different from URL'));
    }
    errors.push(...urlErrors(discoveryURL, `${field}.discoveryURL`, []));
  }
  errors.push(...audienceErrors(audiences, policy, field));
  if (certificateAuthority !== '' && !containsCertificate(certificateAuthority)) {
    const why = 'data does not contain any valid RSA or ECDSA certificates';
    errors.push(invalid(`${field}.certificateAuthority`, '<omitted>', why));
  }
  if (egressSelectorType !== '') {
    const why = 'egress selectors are not supported: connections leave this process directly';
    errors.push(invalid(`${field}.egressSelectorType`, egressSelectorType, why));
  }
  return errors;
}

function urlErrors(url: string, field: string, ownIssuers: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (ownIssuers.includes(url)) {
    const why = `URL must not overlap with disallowed issuers: [${ownIssuers.toSorted().join(' ')}]`;
    errors.push(invalid(field, url, why));
  }
  const malformed = goUrlError(url);
  if (malformed !== undefined) return [...errors, invalid(field, url, malformed)];
  const refuseIf = (isRefused: boolean, why: string): void => void (isRefused && errors.push(invalid(field, url, why)));
  refuseIf(!/^https:/i.test(url), 'URL scheme must be https');
  const parsed = URL.parse(url);
  refuseIf(parsed?.username !== '' && parsed !== null, 'URL must not contain a username or password');
  refuseIf(/^[^#]*\?./.test(url), 'URL must not contain a query');
  refuseIf(/#./.test(url), 'URL must not contain a fragment');
  return errors;
}

function audienceErrors(audiences: readonly string[], policy: string, field: string): FieldError[] {
  const list = `${field}.audiences`;
  if (audiences.length === 0) return [required(list, `at least one ${list} is required`)];
  const errors = audiences.flatMap((audience, at) => [
    ...(audience === '' ? [required(`${list}[${at}]`)] : []),
    ...(audiences.indexOf(audience) < at ? [duplicate(`${list}[${at}]`, audience)] : []),
  ]);
  const isAny = policy === 'MatchAny';
  const policyField = `${field}.audienceMatchPolicy`;
  if (audiences.length > 1 && !isAny) {
    errors.push(invalid(policyField, policy, 'audienceMatchPolicy must be MatchAny for multiple audiences'));
  } else if (audiences.length === 1 && policy !== '' && !isAny) {
    errors.push(invalid(policyField, policy, 'audienceMatchPolicy must be empty or MatchAny for single audience'));
  }
  return errors;
}

function containsCertificate(pem: string): boolean {
  try {
    return certificatesOf(pem).length > 0;
  } catch {
    return false;
  }
}

type ClaimRule = JwtAuthenticator['claimValidationRules'][number];

function claimRuleErrors(
  { claimValidationRules: rules }: JwtAuthenticator,
  { claim, requiredValue, expression, message }: ClaimRule,
  at: number,
  list: string,
): FieldError[] {
  const field = `${list}[${at}]`;
  // A rule with both is refused by itself, and counts for none.
  const before = rules.slice(0, at).filter((rule) => rule.claim === '' || rule.expression === '');
  if (claim !== '' && expression !== '') return [invalid(field, claim, "claim and expression can't both be set")];
  if (claim === '' && expression === '') return [required(field, 'claim or expression is required')];
  if (claim !== '') {
    return [
      ...(message === '' ? [] : [invalid(`${field}.message`, message, 'may not be specified when claim is set')]),
      ...(before.some((rule) => rule.claim === claim) ? [duplicate(`${field}.claim`, claim)] : []),
    ];
  }
  const errors: FieldError[] = [];
  if (requiredValue !== '') {
    errors.push(invalid(`${field}.requiredValue`, requiredValue, 'may not be specified when expression is set'));
  }
  if (before.some((rule) => rule.expression === expression)) {
    return [...errors, duplicate(`${field}.expression`, expression)];
  }
  return [...errors, ...expressionErrors('claims', expression, `${field}.expression`, true)];
}

function userRuleErrors(
  { userValidationRules: rules }: JwtAuthenticator,
  { expression }: JwtAuthenticator['userValidationRules'][number],
  at: number,
  list: string,
): FieldError[] {
  const field = `${list}[${at}].expression`;
  if (expression === '') return [required(field)];
  if (rules.slice(0, at).some((rule) => rule.expression === expression)) return [duplicate(field, expression)];
  return expressionErrors('user', expression, field, true);
}

function mappingErrors(each: JwtAuthenticator, field: string): FieldError[] {
  const { username, groups, uid, extra } = each.claimMappings;
  const errors = [
    ...prefixedErrors(username, `${field}.username`, true),
    ...prefixedErrors(groups, `${field}.groups`, false),
  ];
  if (uid.claim !== '' && uid.expression !== '') {
    errors.push(invalid(`${field}.uid`, '', "claim and expression can't both be set"));
  } else if (uid.expression !== '') {
    errors.push(...expressionErrors('claims', uid.expression, `${field}.uid.expression`, false));
  }
  for (const [at, { key, valueExpression }] of extra.entries()) {
    const isRepeated = extra.slice(0, at).some((other) => other.key === key);
    errors.push(...extraErrors(key, valueExpression, `${field}.extra[${at}]`, isRepeated));
  }
  const verifying = [
    username.expression,
    ...extra.map(({ valueExpression }) => valueExpression),
    ...each.claimValidationRules.map(({ expression }) => expression),
  ];
  const isVerified = verifying.some((expression) => usesClaim(expression, 'email_verified'));
  if (usesClaim(username.expression, 'email') && !isVerified) {
    const why =
      'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';
    errors.push(invalid(`${field}.username.expression`, username.expression, why));
  }
  return errors;
}

function prefixedErrors(
  { claim, prefix, expression }: JwtAuthenticator['claimMappings']['username'],
  field: string,
  isRequired: boolean,
): FieldError[] {
  if (claim !== '' && expression !== '') return [invalid(field, '', "claim and expression can't both be set")];
  if (claim === '' && expression === '') return isRequired ? [required(field, 'claim or expression is required')] : [];
  if (expression !== '') {
    const withPrefix =
      prefix === undefined ? [] : [invalid(`${field}.prefix`, prefix, 'may not be specified when expression is set')];
    return [...withPrefix, ...expressionErrors('claims', expression, `${field}.expression`, false)];
  }
  const why = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
  return prefix === undefined ? [required(`${field}.prefix`, why)] : [];
}

function extraErrors(key: string, expression: string, field: string, isRepeated: boolean): FieldError[] {
  const errors = [...validateDomainPrefixedPath(`${field}.key`, key)];
  if (key !== key.toLowerCase()) errors.push(invalid(`${field}.key`, key, 'must be lowercase'));
  const [domain = ''] = key.includes('/') ? key.split('/', 1) : [''];
  if (/(^|\.)(kubernetes|k8s)\.io$/.test(domain)) {
    const why = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';
    errors.push(invalid(`${field}.key`, key, why));
  }
  if (isRepeated) return [...errors, duplicate(`${field}.key`, key)];
  if (expression === '') return [...errors, required(`${field}.valueExpression`)];
  return [...errors, ...expressionErrors('claims', expression, `${field}.valueExpression`, false)];
}

function expressionErrors(
  variable: 'claims' | 'user',
  expression: string,
  field: string,
  isRule: boolean,
): FieldError[] {
  const compiled = compileExpression(variable, expression, isRule);
  return 'fault' in compiled ? [invalid(field, expression, compiled.fault)] : [];
}
