"""What a program does with the Python client: create, list, patch and watch; typed and dynamic. Prints a line for each thing it sees."""

import threading

from kubernetes import client, config, dynamic, watch

config.load_kube_config()
core = client.CoreV1Api()
namespace = "python"
metadata = {"name": "one", "labels": {"session": "yes"}}
selected = {"label_selector": "session=yes"}

core.create_namespace({"metadata": {"name": namespace}})
core.create_namespaced_config_map(namespace, {"metadata": metadata, "data": {"colour": "red"}})
listed = core.list_namespaced_config_map(namespace, **selected)
print("listed", *[item.metadata.name for item in listed.items])

seen = []


def follow():
    events = watch.Watch()
    since = listed.metadata.resource_version
    for event in events.stream(core.list_namespaced_config_map, namespace, resource_version=since, **selected):
        seen.append(("watched", event["type"], event["object"].metadata.name, event["object"].data["colour"]))
        if event["type"] == "DELETED":
            events.stop()


follower = threading.Thread(target=follow)
follower.start()

patched = core.patch_namespaced_config_map("one", namespace, {"data": {"colour": "green"}})
print("patched", patched.data["colour"])
maps = dynamic.DynamicClient(client.ApiClient()).resources.get(api_version="v1", kind="ConfigMap")
applied = maps.server_side_apply(
    namespace=namespace,
    field_manager="session",
    force_conflicts=True,
    body={"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"colour": "white"}},
)
print("applied", applied.data.colour)
core.delete_namespaced_config_map("one", namespace)
follower.join()
for line in seen:
    print(*line)

try:
    core.read_namespaced_config_map("one", namespace)
except client.exceptions.ApiException as refusal:
    print("read", refusal.status, refusal.reason)
