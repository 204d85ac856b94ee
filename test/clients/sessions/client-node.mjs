/**
 * Uses @kubernetes/client-node as programs do: create, list, patch in three ways, watch, and an informer. Prints a line for
 * each result. CLIENT_NODE names the module, KUBECONFIG the server.
 */
const k8s = await import(process.env.CLIENT_NODE);

const config = new k8s.KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(k8s.CoreV1Api);
const namespace = 'client-node';
const path = `/api/v1/namespaces/${namespace}/configmaps`;
const labelSelector = 'session=yes';
const metadata = { name: 'one', labels: { session: 'yes' } };
const print = (...words) => console.log(words.join(' '));

await core.createNamespace({ body: { metadata: { name: namespace } } });
await core.createNamespacedConfigMap({ namespace, body: { metadata, data: { colour: 'red' } } });
const list = () => core.listNamespacedConfigMap({ namespace, labelSelector });
const listed = await list();
print('listed', ...listed.items.map((item) => item.metadata.name));

const seen = follow('watched');
const watching = await new k8s.Watch(config).watch(
  path,
  { resourceVersion: listed.metadata.resourceVersion, labelSelector },
  (phase, object) => seen.note(phase, object.metadata.name, object.data.colour),
  () => undefined,
);

const informed = follow('informed');
const informer = k8s.makeInformer(config, path, list, labelSelector);
for (const event of ['add', 'update', 'delete']) {
  informer.on(event, (object) => informed.note(event, object.metadata.name, object.data.colour));
}
await informer.start();
await informed.reach(1);

const patch = async (strategy, body, ownership = {}) => {
  const options = k8s.setHeaderOptions('Content-Type', strategy);
  const request = { namespace, name: 'one', body, fieldManager: 'session', ...ownership };
  const { data } = await core.patchNamespacedConfigMap(request, options);
  print('patched', data.colour);
};
const { JsonPatch, MergePatch, ServerSideApply } = k8s.PatchStrategy;
await patch(JsonPatch, [{ op: 'replace', path: '/data/colour', value: 'green' }]);
await patch(MergePatch, { data: { colour: 'blue' } });
const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { colour: 'white' } };
await patch(ServerSideApply, applied, { force: true });
await core.deleteNamespacedConfigMap({ namespace, name: 'one' });
await Promise.all([seen.reach(4), informed.reach(5)]);
watching.abort();
await informer.stop();
seen.print();
informed.print();

const refusal = await core.readNamespacedConfigMap({ namespace, name: 'one' }).catch((error) => error);
print('read', refusal.code, JSON.parse(refusal.body).reason);

/** Collects notifications, to print them together. */
function follow(what) {
  const lines = [];
  let changed = () => undefined;
  return {
    note: (...words) => {
      lines.push([what, ...words].join(' '));
      changed();
    },
    reach: (count) =>
      new Promise((resolve) => {
        changed = () => lines.length >= count && resolve();
        changed();
      }),
    print: () => lines.forEach((line) => print(line)),
  };
}
