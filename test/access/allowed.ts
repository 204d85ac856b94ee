/**
 * Everything that each account may do, written by hand: `namespace: verbs resources`, with `cluster` for cluster scope. All else is
 * forbidden. Never compute this from roles: the server does that, and this table tests it.
 */
import type { Account } from './accounts.ts';

const everyAccount = ['get /healthz', 'get /livez', 'get /readyz', 'get /version', 'get /version/'];

const authenticated = [
  ...everyAccount,
  'get /api',
  'get /api/',
  'get /api/v1',
  'get /apis',
  'get /apis/apps',
  'get /apis/apps/v1',
  'get /openapi/v2',
  'get /openapi/v3',
];

const serviceAccounts = [...authenticated, 'get /.well-known/openid-configuration', 'get /openid/v1/jwks'];

export const allowedPaths: Readonly<Record<Account, readonly string[]>> = {
  anonymous: everyAccount,
  authenticated,
  robot: serviceAccounts,
  member: serviceAccounts,
};

const aboutOneself = [
  'cluster: create selfsubjectaccessreviews.authorization.k8s.io',
  'cluster: create selfsubjectrulesreviews.authorization.k8s.io',
  'cluster: create selfsubjectreviews.authentication.k8s.io',
];

export const allowed: Readonly<Record<Account, readonly string[]>> = {
  anonymous: [],
  authenticated: aboutOneself,
  robot: [
    ...aboutOneself,
    'team: get list watch pods',
    'team: get list watch configmaps',
    'team: get pods/log',
    'team: update patch deployments/scale.apps',
    'team: update patch replicasets/scale.apps',
    'team: update patch statefulsets/scale.apps',
    'team: get secrets',
  ],
  member: [
    ...aboutOneself,
    'member-a: get list watch update works.example.com',
    'member-a: update patch works/status.example.com',
    'member-a: get list watch heartbeats.example.com',
    'member-a: update patch heartbeats/status.example.com',
    'member-a: get create update patch events',
  ],
};
