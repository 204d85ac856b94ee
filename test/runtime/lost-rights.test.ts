import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { startServer, type RunningServer } from '@flotilla/fleet';
import { administrator, configMaps, roleBindings, roles, silentLogger, type Logger } from '@flotilla/kube';
import { InformerSet } from '@flotilla/runtime';
import { systemClock } from '@flotilla/timing';
import { aConfigMap, Follower } from './followed-informer.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const metadata = { namespace: 'default', name: 'lookers' };
const role = {
  apiVersion,
  kind: 'Role',
  metadata,
  rules: [{ verbs: ['list', 'watch'], apiGroups: [''], resources: ['configmaps'] }],
};
const binding = {
  apiVersion,
  kind: 'RoleBinding',
  metadata,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'lookers' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
};

describe('an in-process informer whose user loses the right to list', () => {
  let server: RunningServer;
  let admin: Client;
  let jane: Client;
  before(async () => {
    server = await startServer({ memory: true });
    admin = await server.clientAs(administrator);
    jane = await server.clientAs({ name: 'jane', groups: ['system:authenticated'] });
  });
  after(async () => {
    await admin.close();
    await jane.close();
    await server.stop();
  });

  test('keeps its objects, and continues once the right is granted again', async () => {
    await admin.create(roles, role);
    await admin.create(roleBindings, binding);
    const refused = Promise.withResolvers<unknown>();
    const informers = new InformerSet({
      client: jane,
      clock: systemClock,
      random: Math.random,
      logger: debugLogger((fields) => refused.resolve(fields['error'])),
      namespace: 'default',
    });
    const { informer, release } = informers.hold(configMaps);
    const follower = new Follower(informer);
    await informer.whenReady();
    await follower.untilSeen(await admin.create(configMaps, aConfigMap('known')));

    await admin.delete(roleBindings, { namespace: 'default', name: 'lookers' });
    await admin.create(configMaps, aConfigMap('hidden'));
    assert.match(String(await refused.promise), /User "jane" cannot list resource "configmaps"/);
    assert.equal(informer.get({ namespace: 'default', name: 'hidden' }), undefined);
    assert.ok(informer.get({ namespace: 'default', name: 'known' }));

    await admin.create(roleBindings, binding);
    await follower.untilSeen(await admin.create(configMaps, aConfigMap('after')));
    assert.ok(follower.get('hidden'), 'the right applies to it now');
    await release();
  });
});

/** Passes the fields of debug lines on: they contain the reason why a view ended. */
function debugLogger(onDebug: (fields: Readonly<Record<string, unknown>>) => void): Logger {
  const logger: Logger = { ...silentLogger, with: () => logger, debug: (_message, fields = {}) => onDebug(fields) };
  return logger;
}
