/** `nginx:1.26` is `docker.io/library/nginx`. */
export function repositoryOf(image: string): string {
  const [untagged = ''] = image.split('@', 1);
  const colon = untagged.indexOf(':', untagged.lastIndexOf('/') + 1);
  const name = colon < 0 ? untagged : untagged.slice(0, colon);
  const slash = name.indexOf('/');
  if (slash < 0) return `docker.io/library/${name}`;
  return /[.:]|^localhost$/.test(name.slice(0, slash)) ? name : `docker.io/${name}`;
}

/** With the registry and the tag that a short name stands for. */
export function fullReference(image: string): string {
  const rest = image.slice(image.lastIndexOf('/') + 1);
  const at = rest.search(/[:@]/);
  return repositoryOf(image) + (at < 0 ? ':latest' : rest.slice(at));
}
