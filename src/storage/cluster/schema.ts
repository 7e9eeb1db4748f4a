// The tables of a cluster, and the one function that stores what a home wrote. The function is the fence: it takes term,
// token and deadline under a row lock, so that no statement of an earlier holder is ever stored.

/** A version only adds to the one before it, so that workers of both serve the same cluster during an upgrade. */
export const schemaVersion = 2;

/** How a home is laid down. A home of a newer format is left to newer workers. */
export const homeFormat = 1;

export const createSchema = `
create table if not exists cluster (key text primary key, value text not null);
create table if not exists home (
  id text primary key,
  term bigint not null default 0,
  token uuid,
  holder text,
  address text,
  deadline timestamptz not null default '-infinity',
  version bigint not null default 0,
  last_commit uuid,
  format integer not null default ${homeFormat},
  takes integer not null default 0,
  bytes bigint not null default 0,
  quota bigint,
  is_suspended boolean not null default false,
  created_at timestamptz not null default now()
);
-- Since version 2.
alter table home add column if not exists allowed text not null default '';
alter table home add column if not exists wake_at timestamptz;
alter table home add column if not exists wanted text;
alter table home add column if not exists wanted_until timestamptz;
create table if not exists home_file (
  home text not null references home on delete cascade,
  file bigint not null,
  version bigint not null,
  name bytea not null,
  kind smallint not null,
  mode integer not null,
  size bigint not null,
  primary key (home, file)
);
create table if not exists home_block (
  home text not null references home on delete cascade,
  file bigint not null,
  no integer not null,
  version bigint not null,
  bytes bytea not null,
  primary key (home, file, no)
);
create table if not exists home_change (
  home text not null references home on delete cascade,
  seq bigint not null,
  version bigint not null,
  bytes bytea not null,
  primary key (home, seq)
);
create table if not exists home_host (
  home text primary key references home on delete cascade,
  host text not null unique
);
create table if not exists worker (
  name text primary key,
  address text not null,
  seen timestamptz not null,
  homes integer not null default 0,
  capacity integer not null
);
create or replace function home_commit(
  p_home text, p_term bigint, p_token uuid, p_expected bigint, p_commit uuid, p_lease_ms integer,
  p_file bigint[], p_name bytea[], p_kind smallint[], p_mode integer[], p_size bigint[],
  p_removed bigint[],
  p_cut_file bigint[], p_cut_no integer[],
  p_block_file bigint[], p_block_no integer[], p_block bytea[],
  p_seq bigint[], p_change bytea[], p_forgets_changes boolean
) returns text language plpgsql as $$
declare
  held home%rowtype;
  added bigint;
  gone bigint;
begin
  select * into held from home where id = p_home for update;
  if not found or held.term <> p_term or held.token is distinct from p_token then return 'lost'; end if;
  if held.deadline < clock_timestamp() then return 'over'; end if;
  if held.version = p_expected + 1 and held.last_commit = p_commit then
    update home set deadline = clock_timestamp() + p_lease_ms * interval '1 ms' where id = p_home;
    return 'stored';
  end if;
  if held.version <> p_expected then return 'lost'; end if;

  select coalesce(sum(octet_length(bytes)), 0) into added from unnest(p_block || p_change) as given(bytes);
  -- Each by its primary key: a commit takes no longer when a conversation is long.
  select coalesce(sum(length), 0) into gone from (
    select octet_length(bytes) as length from home_block where home = p_home and file = any(p_removed)
    union all
    select octet_length(b.bytes) from unnest(p_cut_file, p_cut_no) as c(file, no)
      join home_block b on b.home = p_home and b.file = c.file and b.no >= c.no
    union all
    select octet_length(b.bytes) from unnest(p_block_file, p_block_no) as n(file, no)
      join home_block b on b.home = p_home and b.file = n.file and b.no = n.no
  ) as replaced;
  if p_forgets_changes then
    select gone + coalesce(sum(octet_length(c.bytes)), 0) into gone from home_change c where c.home = p_home;
  end if;
  if held.quota is not null and added > gone and held.bytes + added - gone > held.quota then return 'quota'; end if;

  delete from home_file where home = p_home and file = any(p_removed);
  delete from home_block where home = p_home and file = any(p_removed);
  delete from home_block b using unnest(p_cut_file, p_cut_no) as c(file, no)
    where b.home = p_home and b.file = c.file and b.no >= c.no;
  insert into home_file (home, file, version, name, kind, mode, size)
    select p_home, f.file, p_expected + 1, f.name, f.kind, f.mode, f.size
    from unnest(p_file, p_name, p_kind, p_mode, p_size) as f(file, name, kind, mode, size)
    on conflict (home, file) do update
      set version = excluded.version, name = excluded.name, kind = excluded.kind, mode = excluded.mode, size = excluded.size;
  insert into home_block (home, file, no, version, bytes)
    select p_home, n.file, n.no, p_expected + 1, n.bytes
    from unnest(p_block_file, p_block_no, p_block) as n(file, no, bytes)
    on conflict (home, file, no) do update set version = excluded.version, bytes = excluded.bytes;
  if p_forgets_changes then delete from home_change where home = p_home; end if;
  insert into home_change (home, seq, version, bytes)
    select p_home, c.seq, p_expected + 1, c.bytes from unnest(p_seq, p_change) as c(seq, bytes);
  update home set version = p_expected + 1, last_commit = p_commit, bytes = held.bytes + added - gone,
    takes = 0, deadline = clock_timestamp() + p_lease_ms * interval '1 ms' where id = p_home;
  return 'stored';
end $$;
`;
