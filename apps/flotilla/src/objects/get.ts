import { collectionPath, objectPath, queryText, readJsonObject, tableAccept } from '@flotilla/client';
import { isNotFound, type KubeObject } from '@flotilla/kube';
import type { Session } from '../session/session.ts';
import { UserError } from '../user-error.ts';
import { forAll } from './for-all.ts';
import { objectText, type NamedObjects } from './named-kinds.ts';
import { objectsText, type ObjectFormat } from './print-object.ts';
import { listOptions, namedIn, namespaceFor, readSelected, type SelectionFlags } from './selected-objects.ts';
import { tableIn, TablePrinter, type ServerTable } from './server-table.ts';

export interface GetFlags extends SelectionFlags {
  readonly output?: ObjectFormat | 'name' | 'wide';
  readonly watch?: boolean;
  readonly showLabels?: boolean;
}

/** Prints objects as tables of the server, or whole. */
export async function getObjects(session: Session, args: readonly string[], flags: GetFlags): Promise<void> {
  const named = await namedIn(session, args, flags);
  if (flags.watch) refuseToWatch(named, flags);
  switch (flags.output) {
    case 'json':
    case 'yaml':
      return printWhole(session, named, flags, flags.output);
    case 'name':
      return printNames(session, named, flags);
    case 'wide':
    case undefined:
      return printTables(session, named, flags);
  }
}

/** A watch follows one list. */
function refuseToWatch(named: readonly NamedObjects[], { output }: GetFlags): void {
  if (output !== undefined && output !== 'wide') throw new UserError('-w prints tables only; leave out -o.');
  const isOne = named.length === 1 && (named[0]?.names?.length ?? 1) === 1;
  if (!isOne) throw new UserError('-w follows one kind or one object; name only that.');
}

async function printWhole(
  session: Session,
  named: readonly NamedObjects[],
  flags: GetFlags,
  format: ObjectFormat,
): Promise<void> {
  const objects: KubeObject[] = [];
  const isList = named.length > 1 || named[0]?.names?.length !== 1;
  await forAll(named, async (one) => {
    for await (const { object } of readSelected(session, one, flags)) objects.push(object);
  }).finally(() => {
    if (objects.length > 0 || isList) session.print(objectsText(objects, format, isList));
  });
}

async function printNames(session: Session, named: readonly NamedObjects[], flags: GetFlags): Promise<void> {
  await forAll(named, async (one) => {
    for await (const { kind, object } of readSelected(session, one, flags, true)) {
      session.print(objectText(kind, object.metadata.name ?? ''));
    }
  });
}

async function printTables(session: Session, named: readonly NamedObjects[], flags: GetFlags): Promise<void> {
  let tables = 0;
  await forAll(named, async (one) => {
    const printer = new TablePrinter({
      isWide: flags.output === 'wide',
      hasNamespaces: flags.allNamespaces === true && one.kind.namespaced,
      hasLabels: flags.showLabels === true,
      prefix: named.length > 1 ? objectText(one.kind, '') : '',
    });
    let isBegun = false;
    const show = (table: ServerTable): void => {
      if (table.rows.length === 0) return;
      if (!isBegun && tables++ > 0) session.print('');
      isBegun = true;
      for (const line of printer.lines(table)) session.print(line);
    };
    const { resourceVersion } = await showListed(session, one, flags, show);
    if (flags.watch) await showChanges(session, one, flags, resourceVersion, show);
  });
  if (tables === 0 && !flags.ignoreNotFound) session.warn(`No resources found${placeText(session, named, flags)}`);
}

/** Reads pages of a list, or objects by name. Returns the revision to watch from. */
async function showListed(
  session: Session,
  { kind, names }: NamedObjects,
  flags: GetFlags,
  show: (table: ServerTable) => void,
): Promise<Pick<ServerTable, 'resourceVersion'>> {
  const { namespace, labelSelector, fieldSelector } = listOptions(session, kind, flags);
  if (names !== undefined) {
    let resourceVersion = '';
    await forAll(names, async (name) => {
      const table = await readTable(session, objectPath(kind, { namespace, name })).catch((error: unknown) => {
        if (!(flags.ignoreNotFound && isNotFound(error))) throw error;
      });
      if (table === undefined) return;
      ({ resourceVersion } = table);
      show(table);
    });
    return { resourceVersion };
  }
  for (let token = ''; ;) {
    const query = queryText({ labelSelector, fieldSelector, limit: pageSize, continue: token });
    const table = await readTable(session, `${collectionPath(kind, namespace)}?${query}`);
    show(table);
    token = table.continue;
    if (token === '') return table;
  }
}

/** As many as kubectl reads at once. */
const pageSize = 500;
const maxPageBytes = 64 * 1024 * 1024;

async function readTable({ hub, signal }: Session, path: string): Promise<ServerTable> {
  const headers = { accept: tableAccept };
  const { body } = await hub.request({ method: 'GET', path, headers, signal, maxBytes: maxPageBytes });
  return tableIn(readJsonObject(body));
}

/** Until the server or the user ends it. */
async function showChanges(
  session: Session,
  { kind, names }: NamedObjects,
  flags: GetFlags,
  resourceVersion: string,
  show: (table: ServerTable) => void,
): Promise<void> {
  const [name] = names ?? [];
  const options = {
    ...listOptions(session, kind, flags),
    ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
    signal: session.signal,
    resourceVersion,
    asTable: true,
  };
  for await (const { type, object } of session.hub.watch(kind, options)) {
    if (type !== 'BOOKMARK') show(tableIn(object));
  }
}

function placeText(session: Session, named: readonly NamedObjects[], flags: SelectionFlags): string {
  const namespaces = named.map(({ kind }) => namespaceFor(session, kind, flags));
  return namespaces.includes(undefined) ? '' : ` in ${namespaces[0]} namespace.`;
}
