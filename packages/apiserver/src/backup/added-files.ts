/** Small files in the backup of a database, in a table that only backups have. */
import { DatabaseSync } from 'node:sqlite';

/** Contents by name. */
export type AddedFiles = Readonly<Record<string, string>>;

const table = 'backup_files';

export function addFiles(database: string, files: AddedFiles): void {
  change(database, (connection) => {
    connection.exec(`CREATE TABLE ${table} (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT`);
    const insert = connection.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    for (const [name, content] of Object.entries(files)) insert.run(name, content);
  });
}

/** Returns the files and deletes them from the database. Returns none if it has no such table. */
export function extractFiles(database: string): AddedFiles {
  let files: AddedFiles = {};
  change(database, (connection) => {
    const has = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table);
    if (has === undefined) return;
    const rows = connection.prepare(`SELECT name, content FROM ${table}`).all();
    files = Object.fromEntries(rows.map(({ name, content }) => [String(name), String(content)]));
    connection.exec(`DROP TABLE ${table}`);
  });
  return files;
}

function change(database: string, work: (connection: DatabaseSync) => void): void {
  const connection = new DatabaseSync(database);
  try {
    // In exclusive mode SQLite needs no -shm file. Deleted content is overwritten, because it contains keys.
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA secure_delete = ON; BEGIN EXCLUSIVE');
    work(connection);
    connection.exec('COMMIT');
  } finally {
    connection.close();
  }
}
