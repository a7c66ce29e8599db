-- grain: an element of an analytics answer, whatever it is
-- key: workspace, reading, position
-- reads: staged_responses
-- parameters: $files, $longest_answer (bytes of the largest of them)
create or replace temp table staged_elements as
with answers as (
  select filename as file, json_extract(json, '$[*]') as elements
  from read_json_objects(
    $files,
    format = 'unstructured',
    filename = true,
    maximum_object_size = $longest_answer
  )
),
elements as (
  select file, unnest(elements) as record, generate_subscripts(elements, 1) as position
  from answers
)
select
  staged_responses.workspace,
  staged_responses.run_id,
  staged_responses.seq,
  staged_responses.reading,
  staged_responses.fetched_at,
  staged_responses.profile_id,
  staged_responses.linked_post_field,
  elements.position,
  staged_responses.first_ordinal + elements.position as ordinal,
  elements.record
from elements
join staged_responses using (file);

-- JSON leaves it open which of two equal keys counts; here as in JavaScript the last one does.
update staged_elements
set record = mended.record
from (
  select
    workspace,
    reading,
    position,
    to_json(map_from_entries(list({'key': key, 'value': last_value} order by first_id))) as record
  from (
    select
      staged_elements.workspace,
      staged_elements.reading,
      staged_elements.position,
      member.key,
      max_by(member.value, member.id) as last_value,
      min(member.id) as first_id
    from staged_elements, json_each(staged_elements.record) as member
    where has_repeated_keys(staged_elements.record)
    group by all
  )
  group by all
) as mended
where staged_elements.workspace = mended.workspace
  and staged_elements.reading = mended.reading
  and staged_elements.position = mended.position;
