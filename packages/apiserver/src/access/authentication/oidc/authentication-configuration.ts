import { s, type Infer } from '@flotilla/schema';
import { readConfiguration, text, texts } from '../../../configuration/read-configuration.ts';
import { configurationErrors } from './configuration-errors.ts';

const issuer = s.object('', {
  url: text(),
  discoveryURL: text(),
  certificateAuthority: text(),
  audiences: texts(),
  audienceMatchPolicy: text(),
  egressSelectorType: text(),
});

const prefixed = s.object('', { claim: text(), prefix: s.optional(s.string('')), expression: text() });
const claimOrExpression = s.object('', { claim: text(), expression: text() });

const claimMappings = s.object('', {
  username: s.fromDefaults(prefixed),
  groups: s.fromDefaults(prefixed),
  uid: s.fromDefaults(claimOrExpression),
  extra: s.withDefault(s.list(s.object('', { key: text(), valueExpression: text() }), ''), []),
});

const claimRule = s.object('', { claim: text(), requiredValue: text(), expression: text(), message: text() });
const userRule = s.object('', { expression: text(), message: text() });

const jwtAuthenticator = s.object('', {
  issuer: s.fromDefaults(issuer),
  claimValidationRules: s.withDefault(s.list(claimRule, ''), []),
  claimMappings: s.fromDefaults(claimMappings),
  userValidationRules: s.withDefault(s.list(userRule, ''), []),
});

const authentication = s.object('', {
  jwt: s.withDefault(s.list(jwtAuthenticator, ''), []),
  anonymous: s.optional(
    s.object('', {
      enabled: s.withDefault(s.boolean(''), false),
      conditions: s.withDefault(s.list(s.object('', { path: text() }), ''), []),
    }),
  ),
});

/** How users authenticate: AuthenticationConfiguration of apiserver.config.k8s.io/v1. */
export type AuthenticationConfiguration = Infer<typeof authentication>;

/** One issuer of JSON Web Tokens, and how their claims become a user. */
export type JwtAuthenticator = Infer<typeof jwtAuthenticator>;

/** Reads the content of `--authentication-config`. No issuer may be one of the server's own. Throws a ConfigurationError. */
export function readAuthenticationConfiguration(
  content: string,
  ownIssuers: readonly string[] = [],
): AuthenticationConfiguration {
  return readConfiguration(content, {
    apiVersions: ['apiserver.config.k8s.io/v1', 'apiserver.config.k8s.io/v1beta1'],
    kind: 'AuthenticationConfiguration',
    schema: authentication,
    validate: (configuration) => configurationErrors(configuration, ownIssuers),
  });
}
