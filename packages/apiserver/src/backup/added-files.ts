/** Small files that travel in the copy of a database, in a table of their own that no running server has. */
import { DatabaseSync } from 'node:sqlite';

/** By name. */
export type AddedFiles = Readonly<Record<string, string>>;

const table = 'backup_files';

export function addFiles(database: string, files: AddedFiles): void {
  change(database, (connection) => {
    connection.exec(`CREATE TABLE ${table} (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT`);
    const insert = connection.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    for (const [name, content] of Object.entries(files)) insert.run(name, content);
  });
}

/** Takes the files out again and leaves no trace of them. None where the copy was made without any. */
export function takeFiles(database: string): AddedFiles {
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
    // Alone, SQLite needs no index of the write-ahead file on disk; what is deleted is overwritten.
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA secure_delete = ON; BEGIN EXCLUSIVE');
    work(connection);
    connection.exec('COMMIT');
  } finally {
    connection.close();
  }
}
