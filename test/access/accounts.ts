/** The users of the access tests, and their roles. */
import { anonymous, serviceAccountUser, type JsonObject, type User } from '@flotilla/kube';

export const accounts = {
  anonymous,
  authenticated: { name: 'jane', groups: ['system:authenticated'] },
  /** A pipeline's service account with one role in its namespace. */
  robot: serviceAccountUser({ namespace: 'team', name: 'robot' }),
  /** Like the agent of a member on a hub: a few rights in one namespace. */
  member: serviceAccountUser({ namespace: 'member-a', name: 'agent' }),
} satisfies Record<string, User>;

export type Account = keyof typeof accounts;

export const namespaces = ['team', 'member-a', 'other'];

/** Roles to create, each bound to the service account in its namespace. */
export const roles: readonly (readonly [namespace: string, account: string, rules: JsonObject[]])[] = [
  [
    'team',
    'robot',
    [
      { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['*/scale'], verbs: ['update', 'patch'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['seeded'], verbs: ['get'] },
    ],
  ],
  [
    'member-a',
    'agent',
    [
      { apiGroups: ['example.com'], resources: ['works'], verbs: ['get', 'list', 'watch', 'update'] },
      { apiGroups: ['example.com'], resources: ['heartbeats'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['example.com'], resources: ['works/status', 'heartbeats/status'], verbs: ['update', 'patch'] },
      { apiGroups: [''], resources: ['events'], verbs: ['get', 'create', 'update', 'patch'] },
    ],
  ],
];
