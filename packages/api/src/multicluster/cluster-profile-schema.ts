import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { condition } from '../parts/condition.ts';
import { clusterProfiles } from './cluster-profile.ts';

/** A cluster entry of a kubeconfig file. */
const cluster = s.object('How to reach the cluster, in the words of a kubeconfig file.', {
  server: s.string('Address of the API server.'),
  'tls-server-name': s.optional(
    s.string("The name that the server's certificate must have; else that of the address."),
  ),
  'insecure-skip-tls-verify': s.optional(s.boolean('Believe any certificate. Nobody should.')),
  'certificate-authority': s.optional(s.string('File with the certificates that are believed.')),
  'certificate-authority-data': s.optional(
    s.string('The certificates that are believed, in place of a file.', { format: 'byte' }),
  ),
  'proxy-url': s.optional(s.string('Proxy to go through: http, https or socks5.')),
  'disable-compression': s.optional(s.boolean('Ask for answers that are not compressed.')),
  extensions: s.optional(
    s.list(
      s.object('One extension.', {
        name: s.string('Whose extension it is.'),
        extension: s.anyFields('Its content.'),
      }),
      'What other programs keep here.',
    ),
  ),
});

export const accessProvider = s.object('One way to get access.', {
  name: s.string('Name of the provider.'),
  cluster: s.optional(cluster),
});

const property = s.object('A property of the cluster.', {
  name: s.string('Name of the property.', { minLength: 1, maxLength: 253 }),
  value: s.string('The value, as text.', { minLength: 1, maxLength: 1024 }),
  lastObservedTime: s.optional(s.dateTime('When it was last observed.')),
});

export const clusterProfileSpec = s.object('Which cluster this is, and who manages it.', {
  displayName: s.optional(s.string('Name for people.')),
  clusterManager: s.object(
    'Who manages the cluster and writes this object.',
    { name: s.string('Name of the manager.') },
    { rules: [{ rule: 'self == oldSelf', message: 'ClusterManager is immutable' }] },
  ),
});

export const clusterProfileStatus = s.object('What is known of the cluster.', {
  conditions: s.optional(s.list(condition, 'Whether the control plane is healthy, and the like.')),
  version: s.optional(s.object('What runs there.', { kubernetes: s.optional(s.string('Version of Kubernetes.')) })),
  properties: s.optional(s.list(property, 'Properties of the cluster.')),
  accessProviders: s.optional(s.list(accessProvider, 'Ways to get access to the cluster.')),
  credentialProviders: s.optional(s.list(accessProvider, 'The older name of accessProviders.')),
});

export const clusterProfileDefinition = defineVersions(clusterProfiles, {
  description: 'A cluster in an inventory that tools of all makers can read.',
  fields: { spec: clusterProfileSpec, status: s.optional(clusterProfileStatus) },
  subresources: { status: {} },
  versions: { v1alpha1: {} },
});
