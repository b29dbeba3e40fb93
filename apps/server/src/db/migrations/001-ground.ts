import { sql, type Kysely } from 'kysely'
import { createSchoolTable, type Engine } from '../columns.ts'

export async function ground(db: Kysely<never>, engine: Engine): Promise<void> {
  await people(db, engine)
  await sessions(db, engine)
  await school(db, engine)
  await work(db, engine)
}

async function people(db: Kysely<never>, engine: Engine): Promise<void> {
  await createSchoolTable(db, engine, 'school', [], (table, c) =>
    table
      .addColumn('name', c.text, (column) => column.notNull())
      .addColumn('kind', c.text, (column) => column.notNull())
      .addColumn('created_at', c.time, (column) => column.notNull()),
  )
  await createSchoolTable(db, engine, 'user_account', ['id'], (table, c) =>
    table
      .addColumn('id', c.id, (column) => column.notNull())
      .addColumn('name', c.text, (column) => column.notNull())
      .addColumn('phone', c.text)
      .addColumn('avatar', c.text)
      .addColumn('password_hash', c.text)
      .addColumn('is_admin', c.bool, (column) => column.notNull())
      .addColumn('state', c.text, (column) => column.notNull())
      .addColumn('partner_type', c.text)
      .addColumn('created_at', c.time, (column) => column.notNull())
      .addColumn('updated_at', c.time, (column) => column.notNull())
      .addColumn('seen_at', c.time),
  )
  await createSchoolTable(db, engine, 'sign_in_name', ['kind', 'name'], (table, c) =>
    table
      .addColumn('kind', c.text, (column) => column.notNull())
      .addColumn('name', c.text, (column) => column.notNull())
      .addColumn('user_id', c.id, (column) => column.notNull()),
  )
  await db.schema.createIndex('sign_in_name_unique').unique().on('sign_in_name').columns(['kind', 'name']).execute()
  await db.schema.createIndex('sign_in_name_user').on('sign_in_name').columns(['school_id', 'user_id']).execute()
}

async function sessions(db: Kysely<never>, engine: Engine): Promise<void> {
  await createSchoolTable(db, engine, 'user_session', ['token_hash'], (table, c) =>
    table
      .addColumn('token_hash', c.text, (column) => column.notNull())
      .addColumn('id', c.id, (column) => column.notNull())
      .addColumn('user_id', c.id, (column) => column.notNull())
      .addColumn('device', c.text, (column) => column.notNull())
      .addColumn('address', c.text, (column) => column.notNull())
      .addColumn('partner', c.text)
      .addColumn('partner_secret', c.text)
      .addColumn('created_at', c.time, (column) => column.notNull())
      .addColumn('seen_at', c.time, (column) => column.notNull())
      .addColumn('expires_at', c.time, (column) => column.notNull()),
  )
  await db.schema.createIndex('user_session_user').on('user_session').columns(['school_id', 'user_id']).execute()
  await db.schema.createIndex('user_session_expiry').on('user_session').columns(['expires_at']).execute()
  await createSchoolTable(db, engine, 'one_time', ['kind', 'key_hash'], (table, c) =>
    table
      .addColumn('kind', c.text, (column) => column.notNull())
      .addColumn('key_hash', c.text, (column) => column.notNull())
      .addColumn('data_json', c.json, (column) => column.notNull())
      .addColumn('created_at', c.time, (column) => column.notNull())
      .addColumn('expires_at', c.time, (column) => column.notNull()),
  )
  await db.schema.createIndex('one_time_expiry').on('one_time').columns(['expires_at']).execute()
  await createSchoolTable(db, engine, 'attempt', ['key'], (table, c) =>
    table
      .addColumn('key', c.text, (column) => column.notNull())
      .addColumn('failures', c.integer, (column) => column.notNull())
      .addColumn('first_at', c.time, (column) => column.notNull())
      .addColumn('blocked_until', c.time, (column) => column.notNull()),
  )
}

async function school(db: Kysely<never>, engine: Engine): Promise<void> {
  for (const name of ['grade', 'subject']) {
    await createSchoolTable(db, engine, name, ['id'], (table, c) =>
      table
        .addColumn('id', c.id, (column) => column.notNull())
        .addColumn('name', c.text, (column) => column.notNull())
        .addColumn('sort', c.integer, (column) => column.notNull())
        .addColumn('is_training', c.bool, (column) => column.notNull()),
    )
  }
  await createSchoolTable(db, engine, 'school_class', ['id'], (table, c) =>
    table
      .addColumn('id', c.id, (column) => column.notNull())
      .addColumn('grade_id', c.id, (column) => column.notNull())
      .addColumn('name', c.text, (column) => column.notNull())
      .addColumn('sort', c.integer, (column) => column.notNull())
      .addColumn('created_at', c.time, (column) => column.notNull()),
  )
  await createSchoolTable(db, engine, 'teaching', ['class_id', 'subject_id', 'user_id'], (table, c) =>
    table
      .addColumn('class_id', c.id, (column) => column.notNull())
      .addColumn('subject_id', c.id, (column) => column.notNull())
      .addColumn('user_id', c.id, (column) => column.notNull()),
  )
  await db.schema.createIndex('teaching_user').on('teaching').columns(['school_id', 'user_id']).execute()
  await createSchoolTable(db, engine, 'user_subject', ['user_id', 'subject_id'], (table, c) =>
    table
      .addColumn('user_id', c.id, (column) => column.notNull())
      .addColumn('subject_id', c.id, (column) => column.notNull()),
  )
  await createSchoolTable(db, engine, 'user_feature', ['user_id', 'feature_id'], (table, c) =>
    table
      .addColumn('user_id', c.id, (column) => column.notNull())
      .addColumn('feature_id', c.integer, (column) => column.notNull())
      .addColumn('is_active', c.bool, (column) => column.notNull()),
  )
  await createSchoolTable(db, engine, 'paper_size', ['id'], (table, c) =>
    table
      .addColumn('id', c.id, (column) => column.notNull())
      .addColumn('name', c.text, (column) => column.notNull())
      .addColumn('width_mm', c.real, (column) => column.notNull())
      .addColumn('height_mm', c.real, (column) => column.notNull())
      .addColumn('sort', c.integer, (column) => column.notNull()),
  )
}

async function work(db: Kysely<never>, engine: Engine): Promise<void> {
  await createSchoolTable(db, engine, 'audit', ['id'], (table, c) =>
    table
      .addColumn('id', c.id, (column) => column.notNull())
      .addColumn('at', c.time, (column) => column.notNull())
      .addColumn('user_id', c.id)
      .addColumn('action', c.text, (column) => column.notNull())
      .addColumn('target_kind', c.text, (column) => column.notNull())
      .addColumn('target_id', c.text, (column) => column.notNull())
      .addColumn('data_json', c.json, (column) => column.notNull())
      .addColumn('request_id', c.text, (column) => column.notNull())
      .addColumn('address', c.text, (column) => column.notNull()),
  )
  await createSchoolTable(db, engine, 'job', ['id'], (table, c) =>
    table
      .addColumn('id', c.id, (column) => column.notNull())
      .addColumn('kind', c.text, (column) => column.notNull())
      .addColumn('user_id', c.id)
      .addColumn('unique_key', c.text)
      .addColumn('state', c.text, (column) => column.notNull())
      .addColumn('data_json', c.json, (column) => column.notNull())
      .addColumn('result_json', c.json)
      .addColumn('progress', c.real, (column) => column.notNull())
      .addColumn('note', c.text)
      .addColumn('error', c.text)
      .addColumn('attempt', c.integer, (column) => column.notNull())
      .addColumn('max_attempts', c.integer, (column) => column.notNull())
      .addColumn('run_at', c.time, (column) => column.notNull())
      .addColumn('lease_owner', c.text)
      .addColumn('lease_until', c.time)
      .addColumn('is_cancel_asked', c.bool, (column) => column.notNull())
      .addColumn('created_at', c.time, (column) => column.notNull())
      .addColumn('started_at', c.time)
      .addColumn('finished_at', c.time),
  )
  await db.schema.createIndex('job_due').on('job').columns(['state', 'run_at']).execute()
  await db.schema.createIndex('job_user').on('job').columns(['school_id', 'user_id', 'created_at']).execute()
  await db.schema.createIndex('job_school').on('job').columns(['school_id', 'created_at']).execute()
  await db.schema
    .createIndex('job_live')
    .unique()
    .on('job')
    .columns(['school_id', 'unique_key'])
    .where(sql<boolean>`state in ('queued', 'running')`)
    .execute()
  await createSchoolTable(db, engine, 'stored_object', ['hash'], (table, c) =>
    table
      .addColumn('hash', c.text, (column) => column.notNull())
      .addColumn('size', c.time, (column) => column.notNull())
      .addColumn('type', c.text, (column) => column.notNull())
      .addColumn('created_at', c.time, (column) => column.notNull())
      .addColumn('created_by', c.id),
  )
  await createSchoolTable(db, engine, 'upload', ['id'], (table, c) =>
    table
      .addColumn('id', c.id, (column) => column.notNull())
      .addColumn('user_id', c.id, (column) => column.notNull())
      .addColumn('name', c.text, (column) => column.notNull())
      .addColumn('size', c.time, (column) => column.notNull())
      .addColumn('received', c.time, (column) => column.notNull())
      .addColumn('resume_key', c.text)
      .addColumn('sha256', c.text)
      .addColumn('state', c.text, (column) => column.notNull())
      .addColumn('hash', c.text)
      .addColumn('type', c.text)
      .addColumn('created_at', c.time, (column) => column.notNull())
      .addColumn('expires_at', c.time, (column) => column.notNull()),
  )
  await createSchoolTable(db, engine, 'setting', ['name'], (table, c) =>
    table
      .addColumn('name', c.text, (column) => column.notNull())
      .addColumn('value_json', c.json, (column) => column.notNull()),
  )
}
