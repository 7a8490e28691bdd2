// Reads a Parquet file of records and the CSV of the same records in DuckDB and
// compares them: node compare.mjs records.parquet records.csv
import { DuckDBInstance } from '@duckdb/node-api';

const [parquet, csv] = process.argv.slice(2);
const db = await (await DuckDBInstance.create()).connect();
const rows = async (sql) => (await db.runAndReadAll(sql)).getRows();

await db.run(`create table p as select * from read_parquet('${parquet}')`);
const columns = (await rows('describe p')).map(([name, type]) => ({ name, type }));
const types = columns.map(({ name, type }) => `'${name}': '${type}'`).join(', ');
await db.run(`create table c as select * from read_csv('${csv}', header = true, nullstr = ['NA', ''], columns = {${types}})`);

const [[n]] = await rows('select count(*) from p');
const different = await rows('(select * from p except all select * from c) union all (select * from c except all select * from p)');
for (const row of different) console.log('differs:', row.join(','));
console.log(columns.map(({ name, type }) => `${name} ${type}`).join(', '));
for (const [key, value] of await rows(`select decode(key), decode(value) from parquet_kv_metadata('${parquet}')`)) console.log(`${key}=${value}`);
console.log(`${n} rows, ${different.length === 0 ? 'the same' : 'not the same'}`);
process.exit(different.length === 0 ? 0 : 1);
