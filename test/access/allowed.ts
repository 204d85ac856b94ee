/**
 * Everything that each account may do, written down by hand: `namespace: verbs resources`, where `cluster` is no namespace at
 * all. What is not here is forbidden. Nothing here may be computed from roles; that is the server's work, and this judges it.
 */
import type { Account } from './accounts.ts';

const everybody = ['get /healthz', 'get /livez', 'get /readyz', 'get /version', 'get /version/'];

const authenticated = [
  ...everybody,
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
  anonymous: everybody,
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
